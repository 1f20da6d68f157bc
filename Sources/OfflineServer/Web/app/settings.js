// @ts-check
/** The view of settings, storage, the store's checkup, the event log and the program's version. */

import { ask, keep, kept } from './api.js';
import { button, coded, confirm, dialog, empty, field, h, icon, isLocal, qrPicture, replace, ROOT, tell, tick, toast } from './dom.js';
import { attempt } from './status.js';
import { store } from './store.js';
import { appearance, bytes, date, languages, relative, t, has } from './texts.js';

const SECTIONS = ['downloads', 'appearance', 'devices', 'storage', 'doctor', 'log', 'about'];

export class SettingsView {
  #body = h('div', { class: 'settings-body' });
  #onChange = () => { if (this.section === 'log') this.#log(); };
  /** @param {string} section */
  constructor(section) { this.section = SECTIONS.includes(section) ? section : 'downloads'; }

  /** @param {HTMLElement} main */
  show(main) {
    replace(main, h('h1', {}, t('settings')), h('div', { class: 'settings' },
      h('nav', { 'aria-label': t('settings'), class: 'side' }, SECTIONS.map((name) => h('a', { href: `#settings/${name}`, 'aria-current': name === this.section ? 'page' : null }, icon(`s-${name}`), h('span', {}, t(`set_${name}`))))),
      this.#body));
    store.addEventListener('change', this.#onChange);
    main.querySelector('.side [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
    const shown = { downloads: () => this.#downloads(), appearance: () => this.#appearance(), devices: () => this.#devices(), storage: () => this.#storage(), doctor: () => this.#doctor(), log: () => this.#log(true), about: () => this.#about() };
    Promise.resolve(Reflect.get(shown, this.section)()).catch((error) => replace(this.#body, empty('warning', t('failed'), error.message)));
  }

  hide() { store.removeEventListener('change', this.#onChange); }
  draw() { if (this.section === 'about') this.#about(); }

  async #downloads() {
    const now = await ask('GET', 'settings');
    const number = (/** @type {string} */ name, /** @type {number} */ usual) => field(t(`opt_${name}`), h('input', { type: 'number', name, min: 1, max: 64, value: now[name], required: true }), `${t(`opt_${name}_long`)} ${t('usually', { value: usual })}`);
    const limit = (/** @type {string} */ name) => field(t(`opt_${name}`), h('input', { type: 'number', name, min: 0, step: 'any', value: now[name] ? now[name] / 1e6 : '', placeholder: t('noLimit') }), `${t(`opt_${name}_long`)} MB/s. ${t('usually', { value: t('noLimit') })}`);
    const form = h('form', {
      class: 'panel', onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const get = (/** @type {string} */ name) => /** @type {any} */ (form.elements.namedItem(name));
        const rateOf = (/** @type {string} */ name) => (get(name).value ? Math.round(Number(get(name).value) * 1e6) : null);
        if (await attempt(() => ask('PATCH', 'settings', {
          max_downloads: Number(get('max_downloads').value), transfers: Number(get('transfers').value),
          limit_rate: rateOf('limit_rate'), limit_rate_per_host: rateOf('limit_rate_per_host'),
          schedule: get('schedule').value.trim() || 'always', metered_ok: get('metered_ok').checked,
          metered_interfaces: get('metered_interfaces').value.split(/[\s,]+/).filter(Boolean),
        }))) toast(t('saved'));
      },
    }, h('h2', {}, t('set_downloads')), number('max_downloads', 3), number('transfers', 16), limit('limit_rate'), limit('limit_rate_per_host'),
    field(t('opt_schedule'), h('input', { type: 'text', name: 'schedule', value: now.schedule, placeholder: 'always' }), `${t('opt_schedule_long')} ${t('usually', { value: 'always' })}`),
    h('div', { class: 'field' }, tick(t('opt_metered_ok'), { name: 'metered_ok', checked: now.metered_ok }), h('p', { class: 'hint' }, t('opt_metered_ok_long'))),
    field(t('opt_metered_interfaces'), h('input', { type: 'text', name: 'metered_interfaces', value: now.metered_interfaces.join(' '), placeholder: 'wwan*' }), t('opt_metered_interfaces_long')),
    h('p', { class: 'muted' }, t('untilEnd')),
    h('div', { class: 'row end' }, h('button', { type: 'submit', class: 'button primary' }, t('save'))));
    replace(this.#body, form, h('div', { class: 'panel' }, h('h2', {}, t('hooks')), h('p', { class: 'muted' }, coded(t('hooksLong'))),
      now.hooks.length > 0 && h('ul', { class: 'plain-list' }, now.hooks.map((/** @type {any} */ hook) => h('li', {}, icon('link'), h('span', {}, h('code', {}, hook.runs ?? '?'), ` – ${hook.on.map((/** @type {string} */ name) => (has(`state_${name}`) ? t(`state_${name}`) : has(`event_${name}`) ? t(`event_${name}`) : name)).join(', ') || t('hookAll')}`))))));
  }

  #appearance() {
    const select = (/** @type {string} */ key, /** @type {[string, string][]} */ options, /** @type {any} */ usual) => {
      const control = h('select', { onchange: () => { keep(key, control.value || null); appearance(); if (key === 'language') location.reload(); } }, options.map(([value, name]) => h('option', { value }, name)));
      control.value = kept(key, usual);
      return control;
    };
    replace(this.#body, h('div', { class: 'panel' }, h('h2', {}, t('set_appearance')),
      field(t('colors'), select('theme', [['', t('asSystem')], ['light', t('light')], ['dark', t('dark')]], '')),
      field(t('pageLanguage'), select('language', [['', t('asBrowser')], ...languages], '')),
      field(t('subtitleLanguage'), h('input', { type: 'text', value: kept('subtitles', ''), placeholder: 'en', onchange: (/** @type {any} */ event) => keep('subtitles', event.target.value.trim() || null) }), t('subtitleLanguageLong')),
      field(t('audioLanguage'), h('input', { type: 'text', value: kept('audio', ''), placeholder: 'en', onchange: (/** @type {any} */ event) => keep('audio', event.target.value.trim() || null) })),
      h('div', { class: 'field' }, tick(t('shortcuts'), { checked: kept('keys', true), onchange: (/** @type {any} */ event) => keep('keys', event.target.checked) }), h('p', { class: 'hint' }, t('shortcutsLong'))),
      h('div', { class: 'field' }, h('span', { class: 'label' }, t('bookmarklet')), h('p', { class: 'hint' }, t('bookmarkletLong')), h('a', { class: 'button', href: `javascript:location='${ROOT}?add='+encodeURIComponent(location.href)`, onclick: (/** @type {Event} */ event) => event.preventDefault() }, icon('bookmark'), h('span', {}, t('addStream'))))));
  }

  async #devices() {
    const { sessions, required } = await ask('GET', 'sessions');
    const end = async (/** @type {string} */ path, /** @type {boolean} */ isOwn) => {
      if (await attempt(() => ask('DELETE', path))) { if (isOwn && required) location.reload(); else await this.#devices(); }
    };
    replace(this.#body, h('div', { class: 'panel' }, h('h2', {}, t('set_devices')), h('p', { class: 'muted' }, t(required ? 'devicesLong' : 'devicesOpen')),
      sessions.length > 0
        ? h('ul', { class: 'plain-list devices' }, sessions.map((/** @type {any} */ item) => h('li', {}, h('span', { class: 'grow' }, h('strong', {}, item.name), item.current && ` (${t('thisDevice')})`, h('br', {}), h('span', { class: 'muted small' }, t('lastSeen', { when: relative(item.last_seen_at) }))),
          h('button', { type: 'button', class: 'button', 'aria-label': t('signOutOf', { name: item.name }), onclick: () => end(`sessions/${item.id}`, item.current) }, t('signOut')))))
        : required && h('p', {}, t('noDevices')),
      h('div', { class: 'row wrap' }, button('add', t('addDevice'), () => attempt(() => this.#addDevice()), { text: true, class: 'button primary' }),
        sessions.length > 1 && button('', t('signOutAll'), async () => { if (await confirm(t('signOutAll'), t('signOutAllLong'), t('signOutAll'))) end('sessions', true); }, { text: true }))));
  }

  async #addDevice() {
    const { code, urls } = await ask('POST', 'sessions/codes', {});
    const url = urls.find((/** @type {string} */ text) => !isLocal(text)) ?? urls[0];
    dialog(t('addDevice'), () => [qrPicture(url, t('qrOf', { url })), h('p', { class: 'center-text' }, h('strong', { class: 'big-code' }, `${code.slice(0, 4)}-${code.slice(4)}`)),
      h('p', {}, t('addDeviceLong', { url: url.split('#')[0] })), isLocal(url) && h('p', { class: 'muted' }, t('qrLocal'))], { onclose: () => this.#devices().catch(tell) });
  }

  async #storage() {
    const use = await ask('GET', 'storage?limit=50');
    const whole = use.bytes + (use.free_bytes ?? 0);
    const kinds = Object.entries(use.kinds).filter(([, size]) => size).sort((a, b) => b[1] - a[1]);
    const preview = h('div', { 'aria-live': 'polite' });
    const box = (/** @type {string} */ name) => tick(has(`evict_${name}`) ? t(`evict_${name}`) : name, { value: name, checked: use.limits.evict.includes(name) || name === 'expired' });
    const classes = ['expired', 'watched', 'low-priority', 'least-recently-played'].map(box);
    const amount = h('input', { type: 'number', min: 0, step: 'any', placeholder: '10', 'aria-label': t('freeAmount') });
    const body = (/** @type {boolean} */ isDry) => ({ dry_run: isDry, free: Math.round((Number(amount.value) || 0) * 1e9), evict: classes.filter((item) => item.querySelector('input').checked).map((item) => item.querySelector('input').value) });
    const show = async () => {
      const report = await ask('POST', 'storage/prune', body(true)).catch((error) => { tell(error); return null; });
      if (!report) return;
      replace(preview, h('p', {}, t('wouldFree', { size: bytes(report.bytes), n: report.evicted.length }), !report.enough && ` ${t('notEnough')}`),
        h('ul', { class: 'plain-list' }, report.evicted.map((/** @type {any} */ item) => h('li', {}, icon('remove'), h('span', {}, `${item.name} – ${bytes(item.bytes)} (${has(`evict_${item.as}`) ? t(`evict_${item.as}`) : item.as})`)))),
        report.evicted.length > 0 && button('remove', t('pruneNow'), async () => {
          if (await confirm(t('pruneNow'), t('pruneLong', { n: report.evicted.length, size: bytes(report.bytes) }), t('pruneNow'))) { await attempt(() => ask('POST', 'storage/prune', body(false)), t('pruned')); this.#storage(); }
        }, { text: true, class: 'button danger' }));
    };
    replace(this.#body, h('div', { class: 'panel' }, h('h2', {}, t('storage')),
      h('div', { class: 'meter', role: 'img', 'aria-label': t('usedOf', { used: bytes(use.bytes), all: bytes(whole) }) }, h('span', { class: 'meter-used' })),
      h('p', {}, t('usedOf', { used: bytes(use.bytes), all: bytes(whole) }), use.limits.quota ? ` ${t('quotaIs', { size: bytes(use.limits.quota) })}` : ''),
      h('dl', { class: 'properties' }, kinds.map(([name, size]) => h('div', {}, h('dt', {}, has(`kindof_${name}`) ? t(`kindof_${name}`) : name), h('dd', {}, bytes(/** @type {number} */ (size)))))),
      use.orphans.length > 0 && h('p', { class: 'muted' }, t('orphans', { n: use.orphans.length }))),
    h('div', { class: 'panel' }, h('h2', {}, t('prune')), h('p', { class: 'muted' }, t('pruneHint')), h('div', { class: 'ticks' }, classes), field(t('freeAmount'), amount, 'GB'), h('div', { class: 'row' }, button('search', t('previewPrune'), show, { text: true })), preview),
    h('div', { class: 'panel' }, h('h2', {}, t('largest')), h('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': t('largest') }, h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('name')), h('th', { scope: 'col', class: 'end' }, t('size')), h('th', { scope: 'col' }, t('lastPlayed')))),
      h('tbody', {}, use.assets.map((/** @type {any} */ share) => h('tr', {}, h('th', { scope: 'row' }, h('a', { href: `#asset/${share.token}` }, share.name)), h('td', { class: 'end' }, bytes(share.bytes)), h('td', {}, share.last_played_at ? relative(share.last_played_at) : t('never')))))))));
    /** @type {any} */ (this.#body.querySelector('.meter-used')).style.width = `${Math.min(100, 100 * use.bytes / Math.max(1, whole))}%`;
  }

  async #doctor() {
    replace(this.#body, h('div', { class: 'panel' }, h('h2', {}, t('set_doctor')), h('p', { class: 'busy-line' }, h('span', { class: 'spinner' }), t('checking'))));
    const { findings } = await ask('GET', 'doctor');
    findings.sort((/** @type {any} */ a, /** @type {any} */ b) => Number(a.ok) - Number(b.ok));
    const wrong = findings.filter((/** @type {any} */ finding) => !finding.ok).length;
    replace(this.#body, h('div', { class: 'panel' }, h('h2', {}, t('set_doctor')), h('p', { class: `state ${wrong ? 'bad' : 'good'}` }, icon(wrong ? 'warning' : 'check'), h('span', {}, wrong ? t('findings', { n: wrong }) : t('allFine'))),
      h('dl', { class: 'properties checks' }, findings.map((/** @type {any} */ finding) => h('div', { class: finding.ok ? '' : 'wrong' }, h('dt', {}, icon(finding.ok ? 'check' : 'warning'), finding.check), h('dd', {}, coded(finding.detail))))),
      h('div', { class: 'row' }, button('retry', t('again'), () => this.#doctor(), { text: true }))));
  }

  /** @param {boolean} [isFirst] */
  #log(isFirst) {
    store.recall();
    if (!isFirst && this.#body.dataset.count === String(store.log.length)) return;
    this.#body.dataset.count = String(store.log.length);
    const items = store.log.map((event) => h('tr', {}, h('td', {}, h('time', { datetime: event.at }, date(event.at))), h('td', {}, store.assets.has(event.token) ? h('a', { href: `#asset/${event.token}` }, store.assets.get(event.token).name) : event.token), h('td', {}, [has(`event_${event.type}`) ? t(`event_${event.type}`) : event.type, event.state && (has(`state_${event.state}`) ? t(`state_${event.state}`) : event.state), event.error?.message].filter(Boolean).join(' · '))));
    replace(this.#body, h('div', { class: 'panel' }, h('h2', {}, t('set_log')), h('p', { class: 'muted' }, t('logLong')),
      items.length ? h('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': t('set_log') }, h('table', { class: 'log' }, h('tbody', {}, items))) : empty('s-log', t('noEvents'), t('noEventsLong'))));
  }

  #about() {
    replace(this.#body, h('div', { class: 'panel' }, h('h2', {}, 'offline-server'),
      h('dl', { class: 'properties' }, [[t('version'), document.documentElement.dataset.version ?? ''], [t('address'), ROOT], [t('assetsStored'), String(store.assets.size)]].map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
      h('p', {}, t('aboutLong')),
      h('div', { class: 'row wrap' }, h('a', { class: 'button', href: `${ROOT}api/v1/openapi.json` }, icon('info'), h('span', {}, 'OpenAPI')), h('a', { class: 'button', href: `${ROOT}metrics` }, icon('speed'), h('span', {}, t('metrics'))))));
  }
}
