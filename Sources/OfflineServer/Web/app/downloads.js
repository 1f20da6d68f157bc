// @ts-check
/** The view of downloads: running, waiting with the reason, failed with the remedy. */

import { ask, control } from './api.js';
import { announce, button, empty, h, icon, menu, replace, ROOT } from './dom.js';
import { act, attempt, bar, cancel, choices, cover, mending, status } from './status.js';
import { store } from './store.js';
import { bytes, rate, remaining, t } from './texts.js';

/** @typedef {any} Asset */

/**
 * The queue's order: the highest priority first, then the oldest.
 * @param {Asset} a
 * @param {Asset} b
 */
export const turn = (a, b) => b.priority - a.priority || (a.token < b.token ? -1 : 1);

const GROUPS = /** @type {[string, (asset: Asset) => boolean][]} */ ([
  ['failedGroup', (asset) => asset.state === 'failed'],
  ['runningGroup', (asset) => ['downloading', 'resolving'].includes(asset.state)],
  ['queueGroup', (asset) => asset.state === 'queued'],
  ['pausedGroup', (asset) => asset.state === 'paused'],
  ['doneGroup', (asset) => asset.state === 'complete' && Date.now() - Date.parse(asset.finished_at ?? '') < 86400000],
]);

/**
 * The priorities that bring assets into an order with as few changes as that takes.
 * @param {Asset[]} order
 * @returns {[string, number][]} tokens with their new priorities
 */
export function priorities(order) {
  /** @type {[string, number][]} */
  const changes = [];
  let floor = -Infinity;
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const [asset, below] = [order[index], order[index + 1]];
    const least = !below ? asset.priority : asset.token < below.token ? floor : floor + 1;
    const isFine = !below || asset.priority >= least;
    const own = isFine ? asset.priority : least;
    if (own !== asset.priority) changes.push([asset.token, own]);
    floor = own;
  }
  return changes;
}

export class DownloadsView {
  #head = h('div', { class: 'totals' });
  #body = h('div', {});
  /** @type {Map<string, {element: HTMLElement, asset: Asset, at: string}>} */
  #rows = new Map();
  #limit = h('select', {
    'aria-label': t('limitAll'), onchange: () => attempt(() => ask('PATCH', 'settings', { limit_rate: Number(this.#limit.value) || null })),
  });
  #timer = 0;
  /** @param {() => void} add */
  constructor(add) { this.add = add; }

  /** @param {HTMLElement} main */
  show(main) {
    replace(main, h('div', { class: 'page-head' }, h('h1', { class: 'grow' }, t('downloads')),
      h('label', { class: 'row' }, icon('speed'), this.#limit),
      button('pause', t('pauseAll'), () => attempt(() => control('pause', this.#tokens((asset) => ['downloading', 'resolving', 'queued'].includes(asset.state)))), { text: true }),
      button('resume', t('resumeAll'), () => attempt(() => control('resume', this.#tokens((asset) => asset.state === 'paused'))), { text: true })),
    this.#head, this.#body);
    this.#showLimit();
    this.draw();
    // Times until the next try go on without events.
    this.#timer = setInterval(() => { for (const row of this.#rows.values()) row.at = ''; this.draw(); }, 15000);
  }

  hide() { clearInterval(this.#timer); }

  /** @param {(asset: Asset) => boolean} test */
  #tokens(test) { return store.list().filter(test).map((asset) => asset.token); }

  async #showLimit() {
    const settings = await ask('GET', 'settings').catch(() => null);
    const now = settings?.limit_rate ?? 0;
    const steps = [...new Set([0, 250e3, 500e3, 1e6, 2e6, 5e6, 10e6, 25e6, now])].sort((a, b) => a - b);
    replace(this.#limit, steps.map((step) => h('option', { value: step }, step ? rate(step) : t('noLimit'))));
    this.#limit.value = String(now);
  }

  draw() {
    const all = store.list();
    const running = all.filter((asset) => asset.state === 'downloading');
    const speed = running.reduce((sum, asset) => sum + (asset.speed ?? 0), 0);
    const left = all.filter((asset) => ['downloading', 'queued'].includes(asset.state)).reduce((sum, asset) => sum + Math.max(0, (asset.bytes?.expected ?? 0) - (asset.bytes?.stored ?? 0)), 0);
    const figures = [[t('nowLoading'), String(running.length)], [t('speed'), rate(speed)], [t('toLoad'), bytes(left)], [t('timeLeft'), speed && left ? remaining(left / speed) : '–']];
    replace(this.#head, figures.map(([name, value]) => h('div', { class: 'figure' }, h('span', { class: 'muted' }, name), h('strong', {}, value))));
    const focus = /** @type {HTMLElement | null} */ (document.activeElement);
    const [row, act] = [focus?.closest('[data-token]')?.getAttribute('data-token'), focus?.dataset?.name];
    const seen = new Set();
    const sections = [];
    for (const [name, test] of GROUPS) {
      const members = all.filter(test).sort(name === 'doneGroup' ? (a, b) => (a.finished_at < b.finished_at ? 1 : -1) : turn);
      if (!members.length) continue;
      const shown = members.slice(0, 200);
      sections.push(h('section', {}, h('h2', {}, `${t(name)} `, h('span', { class: 'number' }, members.length)),
        h('ul', { class: 'rows' }, shown.map((asset, index) => { seen.add(asset.token); return this.#row(asset, name, index, members); })),
        members.length > shown.length && h('p', { class: 'muted' }, t('andMore', { n: members.length - shown.length }))));
    }
    for (const token of this.#rows.keys()) if (!seen.has(token)) this.#rows.delete(token);
    if (sections.length) replace(this.#body, sections);
    else if (store.isLoaded) replace(this.#body, empty('download', t('noDownloads'), t('noDownloadsLong'), button('add', t('addStream'), this.add, { text: true, class: 'button primary' })));
    if (row) /** @type {HTMLElement | null} */ (this.#body.querySelector(`[data-token="${row}"] [data-name="${act}"]`))?.focus({ preventScroll: true });
  }

  /**
   * @param {Asset} asset
   * @param {string} group
   * @param {number} index
   * @param {Asset[]} members
   */
  #row(asset, group, index, members) {
    const known = this.#rows.get(asset.token);
    const at = `${group} ${index} ${members.length}`;
    if (known && known.asset === asset && known.at === at) return known.element;
    const state = status(asset);
    const isPicked = known?.element.querySelector('.cover');
    const element = known?.element ?? h('li', { class: 'row-card', 'data-token': asset.token });
    const more = button('more', t('moreOf', { name: asset.name }), () => menu(more, choices(asset)), { 'data-name': 'more', 'aria-haspopup': 'menu' });
    const isQueue = group === 'queueGroup' && members.length > 1;
    element.className = `row-card ${state.kind}`;
    replace(element,
      h('a', { href: `#asset/${asset.token}`, class: 'thumb', tabindex: -1, 'aria-hidden': 'true' }, isPicked ?? cover(asset)),
      h('div', { class: 'grow' },
        h('a', { class: 'name', href: `#asset/${asset.token}`, 'data-name': 'name' }, asset.name),
        h('p', { class: `state ${state.kind}` }, state.kind === 'bad' || state.kind === 'warn' ? icon('warning') : null, h('span', {}, [state.word, state.detail].filter(Boolean).join(' · '))),
        asset.state !== 'complete' && (asset.state !== 'failed' || asset.progress > 0) && bar(asset),
        asset.state !== 'complete' && (asset.bytes?.stored > 0 || asset.bytes?.expected > 0) && h('p', { class: 'muted small' }, t('storedOf', { stored: bytes(asset.bytes?.stored ?? 0), all: asset.bytes?.expected ? bytes(asset.bytes.expected) : '?' })),
        state.kind === 'bad' && h('div', { class: 'row wrap' }, mending(asset))),
      h('div', { class: 'row' },
        isQueue && button('up', t('moveUp', { name: asset.name }), () => this.#swap(members, index, index - 1), { disabled: index === 0, 'data-name': 'up' }),
        isQueue && button('down', t('moveDown', { name: asset.name }), () => this.#swap(members, index, index + 1), { disabled: index === members.length - 1, 'data-name': 'down' }),
        ['downloading', 'resolving', 'queued'].includes(asset.state) && button('pause', t('pause'), () => act('pause', [asset]), { 'data-name': 'toggle' }),
        ['paused', 'cancelled'].includes(asset.state) && button('resume', t('resume'), () => act('resume', [asset]), { 'data-name': 'toggle' }),
        ['downloading', 'resolving', 'queued', 'paused'].includes(asset.state) && button('stop', t('cancelDownload'), () => cancel(asset), { 'data-name': 'cancel' }),
        asset.state === 'complete' && h('a', { class: 'button bare', href: `${ROOT}watch/${asset.token}`, 'aria-label': t('playIt', { name: asset.name }) }, icon('play')),
        more));
    if (isQueue) this.#draggable(element, members, index);
    else { element.draggable = false; }
    this.#rows.set(asset.token, { element, asset, at });
    return element;
  }

  /**
   * @param {HTMLElement} element
   * @param {Asset[]} members
   * @param {number} index
   */
  #draggable(element, members, index) {
    element.draggable = true;
    element.ondragstart = (event) => { event.dataTransfer?.setData('application/x-asset', String(index)); element.classList.add('dragged'); };
    element.ondragend = () => element.classList.remove('dragged');
    element.ondragover = (event) => { if (event.dataTransfer?.types.includes('application/x-asset')) { event.preventDefault(); element.classList.add('over'); } };
    element.ondragleave = () => element.classList.remove('over');
    element.ondrop = (event) => {
      element.classList.remove('over');
      const from = event.dataTransfer?.getData('application/x-asset');
      if (!from) return;
      event.preventDefault();
      event.stopPropagation();
      this.#swap(members, Number(from), index);
    };
  }

  /**
   * @param {Asset[]} members
   * @param {number} from
   * @param {number} to
   */
  async #swap(members, from, to) {
    if (to < 0 || to >= members.length || from === to) return;
    const order = [...members];
    order.splice(to, 0, ...order.splice(from, 1));
    const changes = priorities(order);
    for (const [token, priority] of changes) store.assets.set(token, { ...store.assets.get(token), priority });
    this.draw();
    announce(t('movedTo', { n: to + 1 }));
    /** @type {Map<number, string[]>} */
    const groups = new Map();
    for (const [token, priority] of changes) groups.set(priority, [...(groups.get(priority) ?? []), token]);
    await attempt(() => Promise.all([...groups].map(([priority, tokens]) => control('prioritize', tokens, { priority }))));
  }
}
