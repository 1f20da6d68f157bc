// @ts-check
/** The dialog that adds a stream: paste an address, see its renditions, choose, start. */

import { ask, keep, kept } from './api.js';
import { dialog, field, h, icon, replace, tell, tick, toast } from './dom.js';
import { lines } from './status.js';
import { store } from './store.js';
import { bitrate, bytes, clock, languageName, t, has } from './texts.js';

/**
 * The addresses in a text that may be streams.
 * @param {string} text
 */
export const addresses = (text) => [...new Set(text.match(/https?:\/\/[^\s"'<>]+/g) ?? [])];

/**
 * The height of a picture of a listing.
 * @param {any} variant
 */
const height = (variant) => Number(String(variant.RESOLUTION ?? '').split('x')[1]) || 0;

/**
 * Bytes that a variant would take.
 * @param {any} variant
 * @param {number | null} duration
 */
function size(variant, duration) {
  const rate = Number(variant['AVERAGE-BANDWIDTH']) || Number(variant.BANDWIDTH) * 0.8;
  return duration && rate ? bytes(rate * duration / 8) : null;
}

/**
 * The codecs in words that people know.
 * @param {string | undefined} codecs
 */
function codecNames(codecs) {
  const names = { avc1: 'H.264', avc3: 'H.264', hvc1: 'HEVC', hev1: 'HEVC', av01: 'AV1', vp09: 'VP9', mp4a: 'AAC', 'ac-3': 'Dolby', 'ec-3': 'Dolby+', opus: 'Opus', fLaC: 'FLAC' };
  return [...new Set(String(codecs ?? '').split(',').map((codec) => Reflect.get(names, codec.trim().split('.')[0]) ?? codec.trim()).filter(Boolean))].join(' + ');
}

/**
 * Opens the dialog.
 * @param {string} [text] pasted or dropped text
 */
export function openAdd(text = '') {
  document.querySelector('dialog.add')?.remove();
  const form = new AddForm();
  const element = dialog(t('addStream'), (close) => { form.close = close; return form.element; }, { class: 'add', onclose: () => form.stop() });
  form.url.value = addresses(text).join('\n') || text;
  form.grow();
  form.url.focus();
  if (addresses(text).length) form.look();
  return element;
}

class AddForm {
  close = () => {};
  /** @type {any} */
  #offer = null;
  /** @type {AbortController | null} */
  #asking = null;
  #timer = 0;
  #preset = kept('preset', {});
  /**
   * The choice of a variant, of languages, and the rest.
   * @type {any}
   */
  #choice = {};
  url = h('textarea', {
    rows: 1, class: 'wide', placeholder: 'https://…/master.m3u8', spellcheck: 'false', autocomplete: 'off', required: true,
    oninput: () => this.#soon(), onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Enter' && !event.shiftKey) { event.preventDefault(); this.#offer ? this.#submit() : this.look(); }
    },
  });
  #found = h('div', { class: 'offer', 'aria-live': 'polite' });
  #more = this.#advanced();
  #error = h('p', { class: 'error', role: 'alert' });
  #go = h('button', { type: 'submit', class: 'button primary', disabled: true }, icon('download'), h('span', {}, t('download')));
  #estimate = h('span', { class: 'muted grow', role: 'status' });
  element = h('form', { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.#submit(); } },
    field(t('streamAddress'), this.url, t('streamAddressHint')), this.#found, this.#more, this.#error,
    h('div', { class: 'dialog-foot' }, this.#estimate, h('button', { type: 'button', class: 'button', onclick: () => this.close() }, t('cancel')), this.#go));

  /** Cancels the request in progress. */
  stop() { clearTimeout(this.#timer); this.#asking?.abort(); }

  /** Makes the field tall enough for all addresses, up to a limit. */
  grow() {
    this.url.style.height = 'auto';
    this.url.style.height = `${Math.min(180, this.url.scrollHeight + 2)}px`;
  }

  #soon() {
    this.#offer = null;
    this.grow();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.look(), 500);
  }

  /** Asks the server for the stream's renditions. */
  async look() {
    const urls = addresses(this.url.value);
    this.#asking?.abort();
    this.#error.textContent = '';
    this.#estimate.textContent = '';
    this.#go.disabled = !urls.length;
    const odd = this.url.value.split('\n').map((/** @type {string} */ line) => line.trim()).filter((/** @type {string} */ line) => line && !addresses(line).length);
    if (odd.length) this.#error.textContent = t('noStreamAddress', { text: odd[0].slice(0, 80) });
    if (!urls.length) { replace(this.#found); return; }
    if (urls.length > 1) {
      replace(this.#found, h('p', {}, t('severalStreams', { n: urls.length })));
      return;
    }
    this.#asking = new AbortController();
    replace(this.#found, h('p', { class: 'busy-line' }, h('span', { class: 'spinner' }), t('probing')));
    try {
      const offer = await ask('POST', 'probe', { url: urls[0], ...this.#access() }, { signal: this.#asking.signal });
      this.#offer = offer;
      this.#show(offer);
    } catch (error) {
      if (this.#asking?.signal.aborted && /** @type {any} */ (error).name === 'AbortError') return;
      const status = /** @type {any} */ (error).status;
      replace(this.#found, h('div', { class: 'note bad' }, icon('warning'), h('div', {}, h('strong', {}, t('probeFailed')), h('p', {}, /** @type {Error} */ (error).message),
        [401, 403, 409, 422].includes(status) && h('p', { class: 'muted' }, t('probeHint')))));
    }
  }

  /** @param {any} offer */
  #show(offer) {
    const variants = [...offer.variants].sort((a, b) => Number(b.BANDWIDTH) - Number(a.BANDWIDTH));
    const audio = offer.renditions.filter((/** @type {any} */ r) => r.TYPE === 'AUDIO');
    const subtitles = offer.renditions.filter((/** @type {any} */ r) => r.TYPE === 'SUBTITLES');
    this.#go.disabled = !offer.eligible;
    this.#choice = { height: null, bitrate: null, all: false, audio: null, subtitles: null };
    const summary = [offer.live ? t('liveStream') : offer.duration ? clock(offer.duration) : null,
      variants.length ? t('variants', { n: variants.length }) : t('oneVariant'), offer.keys.length ? t('encrypted') : null].filter(Boolean).join(' · ');
    replace(this.#found,
      offer.eligible
        ? h('div', { class: 'note good' }, icon('check'), h('div', {}, h('strong', {}, t('canDownload')), h('p', {}, summary)))
        : h('div', { class: 'note bad' }, icon('warning'), h('div', {}, h('strong', {}, t('cannotDownload')), offer.reasons.map((/** @type {string} */ name) => h('p', {}, has(`why_${name}`) ? t(`why_${name}`) : name)))),
      offer.lost.length > 0 && h('p', { class: 'muted' }, offer.lost.join(' ')),
      offer.eligible && variants.length > 1 && this.#quality(variants, offer.duration),
      offer.eligible && this.#languages('audio', t('audio'), audio),
      offer.eligible && this.#languages('subtitles', t('subtitles'), subtitles));
    const live = this.#more.querySelector('[name=live]');
    if (live) live.checked = !!offer.live;
    if (offer.eligible) this.#reckon();
  }

  /**
   * @param {any[]} variants
   * @param {number | null} duration
   */
  #quality(variants, duration) {
    const heights = [...new Set(variants.map(height).filter(Boolean))];
    const remembered = this.#preset.max_height;
    const options = [{ label: t('bestUsual'), value: 'usual', detail: '' }];
    const seen = new Set();
    for (const variant of variants) {
      const tall = height(variant);
      const key = heights.length > 1 ? tall : variant.BANDWIDTH;
      if (seen.has(key)) continue;
      seen.add(key);
      options.push({
        label: tall && heights.length > 1 ? `${tall}p` : bitrate(Number(variant.BANDWIDTH)), value: heights.length > 1 ? `h${tall}` : `b${variant.BANDWIDTH}`,
        detail: [bitrate(Number(variant.BANDWIDTH)), size(variant, duration), codecNames(variant.CODECS)].filter(Boolean).join(' · '),
      });
    }
    options.push({ label: t('allVariants'), value: 'all', detail: t('allVariantsLong') });
    const usual = this.#preset.all_variants ? 'all' : remembered && heights.length > 1 ? `h${heights.find((tall) => tall <= remembered) ?? heights.at(-1)}` : 'usual';
    const take = (/** @type {string} */ value) => {
      this.#choice.all = value === 'all';
      this.#choice.height = value.startsWith('h') ? Number(value.slice(1)) : null;
      this.#choice.bitrate = value.startsWith('b') ? Number(value.slice(1)) : null;
      this.#reckon();
    };
    const group = h('fieldset', { class: 'choices' }, h('legend', {}, t('quality')), options.map((option) => h('label', { class: 'choice' },
      h('input', { type: 'radio', name: 'quality', value: option.value, checked: option.value === usual, onchange: () => take(option.value) }),
      h('span', { class: 'grow' }, option.label), h('span', { class: 'muted' }, option.detail))));
    this.#choice.all = usual === 'all';
    this.#choice.height = usual.startsWith('h') ? Number(usual.slice(1)) : null;
    return group;
  }

  /**
   * @param {'audio' | 'subtitles'} kind
   * @param {string} title
   * @param {any[]} renditions
   */
  #languages(kind, title, renditions) {
    const known = [...new Set(renditions.map((rendition) => rendition.LANGUAGE).filter(Boolean))];
    if (known.length < (kind === 'audio' ? 2 : 1)) return null;
    const remembered = this.#preset[kind];
    const preferred = renditions.find((rendition) => rendition.DEFAULT === 'YES')?.LANGUAGE ?? known[0];
    const isOn = (/** @type {string} */ language) => (remembered === 'all' ? true : Array.isArray(remembered) && known.some((name) => remembered.includes(name)) ? remembered.includes(language) : kind === 'subtitles' || language === preferred);
    const take = () => {
      const boxes = [...group.querySelectorAll('input')];
      const on = boxes.filter((box) => box.checked).map((box) => box.value);
      this.#choice[kind] = on.length === known.length ? 'all' : on.length ? on : 'none';
      this.#reckon();
    };
    const group = h('fieldset', { class: 'choices inline' }, h('legend', {}, title), known.map((language) => h('label', { class: 'chip box' },
      h('input', { type: 'checkbox', value: language, checked: isOn(language), onchange: take }), h('span', {}, languageName(language)))));
    const on = known.filter(isOn);
    this.#choice[kind] = on.length === known.length ? 'all' : on;
    return group;
  }

  #advanced() {
    const input = (/** @type {string} */ name, /** @type {any} */ more = {}) => h('input', { type: 'text', name, ...more });
    const area = (/** @type {string} */ name, /** @type {any} */ more = {}) => h('textarea', { name, rows: 2, spellcheck: 'false', ...more });
    const again = { onchange: () => { if (addresses(this.url.value).length === 1) this.look(); } };
    return h('details', { class: 'more-options' }, h('summary', {}, t('moreOptions')), h('div', { class: 'columns' },
      field(t('name'), input('name'), t('nameHint')),
      field(t('tags'), input('tags'), t('tagsHint')),
      field(t('headers'), area('headers', { placeholder: 'Authorization: Bearer …', ...again }), t('headersHint')),
      field(t('cookies'), area('cookies', again), t('cookiesHint')),
      field(t('userAgent'), input('user_agent', again)),
      field(t('priority'), h('select', { name: 'priority' }, [['0', 'normal'], ['10', 'high'], ['-1', 'low']].map(([value, name]) => h('option', { value }, t(`priority_${name}`))))),
      field(t('rental'), input('rental', { placeholder: '30d', pattern: '[0-9]+[smhdw]?' }), t('rentalHint')),
      field(t('playWindow'), input('play_window', { placeholder: '48h', pattern: '[0-9]+[smhdw]?' }), t('playWindowHint')),
      field(t('from'), input('from', { placeholder: '0:00', pattern: '([0-9]+:)*[0-9.]+' })),
      field(t('to'), input('to', { placeholder: '1:30:00', pattern: '([0-9]+:)*[0-9.]+' }), t('partHint')),
      field(t('limitRate'), input('limit_rate', { inputmode: 'decimal', placeholder: t('noLimit'), pattern: '[0-9]+([.,][0-9]+)?' }), 'MB/s'),
      field(t('recordFor'), input('duration', { placeholder: '90m', pattern: '[0-9]+[smhdw]?' }), t('recordForHint')),
      h('div', { class: 'ticks' }, tick(t('live'), { name: 'live' }), tick(t('fromStart'), { name: 'from_start' }), tick(t('trickPlay'), { name: 'trick_play' }), tick(t('preload'), { name: 'preload' }), tick(t('allowMissingKey'), { name: 'allow_missing_key' }))));
  }

  /**
   * @param {string} name
   * @returns {string}
   */
  #said(name) { return this.#more.querySelector(`[name=${name}]`)?.value.trim() ?? ''; }

  /** @param {string} name */
  #ticked(name) { return !!this.#more.querySelector(`[name=${name}]`)?.checked; }

  #access() {
    const [headers, cookies, agent] = [lines(this.#said('headers')), this.#said('cookies'), this.#said('user_agent')];
    return { ...(headers.length && { headers }), ...(cookies && { cookies: `${cookies}\n` }), ...(agent && { user_agent: agent }) };
  }

  /**
   * The members of an estimate's request: the selection and the access to the origin.
   * @param {string} url
   */
  #selected(url) {
    const choice = this.#choice;
    return {
      url, ...this.#access(),
      ...(choice.height && { max_height: choice.height }), ...(choice.bitrate && { max_bitrate: choice.bitrate }), ...(choice.all && { all_variants: true }),
      ...(choice.audio && { audio: choice.audio }), ...(choice.subtitles && { subtitles: choice.subtitles }),
    };
  }

  /** @param {string} url */
  #request(url) {
    const seconds = (/** @type {string} */ text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    const text = (/** @type {string} */ name) => { const said = this.#said(name); return said && { [name]: said }; };
    const isLive = this.#ticked('live');
    const limit = Number(this.#said('limit_rate').replace(',', '.'));
    const tags = this.#said('tags').split(',').map((tag) => tag.trim()).filter(Boolean);
    return {
      ...this.#selected(url), ...text('name'), ...text('rental'), ...text('play_window'),
      ...(tags.length && { tags }), ...(Number(this.#said('priority')) && { priority: Number(this.#said('priority')) }),
      ...(limit && { limit_rate: Math.round(limit * 1e6) }),
      ...(isLive ? { live: true, ...(this.#ticked('from_start') && { from_start: true }), ...text('duration') }
        : { ...(this.#said('from') && { from: seconds(this.#said('from')) }), ...(this.#said('to') && { to: seconds(this.#said('to')) }) }),
      ...(this.#ticked('trick_play') && { trick_play: true }), ...(this.#ticked('preload') && { preload: true }),
      ...(this.#ticked('allow_missing_key') && { allow_missing_key: true }),
    };
  }

  /** Says how many bytes the choice would take. */
  async #reckon() {
    const offer = this.#offer;
    if (!offer || offer.live) return;
    this.#estimate.textContent = t('estimating');
    const asked = JSON.stringify(this.#choice);
    try {
      const found = await ask('POST', 'estimate', this.#selected(addresses(this.url.value)[0]));
      if (asked === JSON.stringify(this.#choice) && offer === this.#offer) this.#estimate.textContent = t('about', { size: bytes(found.likely) });
    } catch { this.#estimate.textContent = ''; }
  }

  async #submit() {
    const urls = addresses(this.url.value);
    if (!urls.length || this.#go.disabled) return;
    this.#go.disabled = true;
    this.#error.textContent = '';
    try {
      if (urls.length === 1) {
        await ask('POST', 'assets', this.#request(urls[0]));
        if (this.#offer) keep('preset', { max_height: this.#choice.height, all_variants: this.#choice.all, audio: this.#choice.audio, subtitles: this.#choice.subtitles });
      } else {
        await ask('POST', 'assets', { assets: urls.map((url) => this.#request(url)) });
      }
      store.refresh();
      toast(t('added', { n: urls.length }), { action: [t('downloads'), () => { location.hash = 'downloads'; }] });
      this.close();
    } catch (error) {
      this.#error.textContent = /** @type {Error} */ (error).message;
      this.#go.disabled = false;
    }
  }
}

/** Receives streams that are dropped on the page, or pasted outside of a field. */
export function receiveStreams() {
  document.addEventListener('paste', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const text = event.clipboardData?.getData('text') ?? '';
    if (target.closest?.('input, textarea, dialog') || !addresses(text).length) return;
    event.preventDefault();
    openAdd(text);
  });
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.some((type) => type === 'text/uri-list' || type === 'text/plain')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    const text = event.dataTransfer?.getData('text/uri-list') || event.dataTransfer?.getData('text/plain') || '';
    if (/** @type {HTMLElement} */ (event.target).closest?.('input, textarea') || !text) return;
    event.preventDefault();
    if (addresses(text).length) openAdd(text); else tell(t('noAddress'));
  });
}
