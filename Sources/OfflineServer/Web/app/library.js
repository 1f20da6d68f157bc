// @ts-check
/** The library: all assets as pictures or as lines, with search, filters and a selection. */

import { ask, keep, kept } from './api.js';
import { announce, button, empty, h, icon, marked, menu, replace, ROOT } from './dom.js';
import { act, bar, choices, cover, editTags, facts, isActive, isTroubled, status } from './status.js';
import { rowURL } from './row.js';
import { store } from './store.js';
import { clock, compare, languageName, t } from './texts.js';

/** @typedef {any} Asset */

const FILTERS = /** @type {Record<string, (asset: Asset) => boolean>} */ ({
  all: () => true,
  unwatched: (asset) => !asset.watched && asset.state === 'complete',
  started: (asset) => asset.position > 5 && !asset.watched,
  active: (asset) => isActive(asset) || asset.state === 'paused',
  troubled: isTroubled,
});

const SORTS = /** @type {Record<string, (a: Asset, b: Asset) => number>} */ ({
  newest: (a, b) => (a.token < b.token ? 1 : -1),
  oldest: (a, b) => (a.token < b.token ? -1 : 1),
  name: (a, b) => compare(a.name, b.name),
  size: (a, b) => (b.bytes?.stored ?? 0) - (a.bytes?.stored ?? 0),
  duration: (a, b) => b.duration - a.duration,
  played: (a, b) => ((a.last_played_at ?? '') < (b.last_played_at ?? '') ? 1 : -1),
});

/** A list that keeps only visible rows in the document, so that 10,000 assets scroll as fast as ten. */
class AssetList extends HTMLElement {
  /** @type {Asset[]} */
  #items = [];
  /** @type {Map<string, {element: HTMLElement, asset: Asset, picked: boolean, mode: string}>} */
  #shown = new Map();
  /** @type {Set<string>} */
  picked = new Set();
  mode = 'grid';
  #current = 0;
  #columns = 1;
  #row = 1;
  #width = 0;
  #frame = 0;
  /** @type {ResizeObserver | null} */
  #observer = null;
  #onScroll = () => this.#later();
  #isDrawing = false;

  connectedCallback() {
    this.setAttribute('role', 'list');
    this.setAttribute('aria-label', t('library'));
    addEventListener('scroll', this.#onScroll, { passive: true });
    this.#observer = new ResizeObserver(() => requestAnimationFrame(() => this.layout()));
    this.#observer.observe(this);
    this.addEventListener('keydown', (event) => this.#move(event));
    this.addEventListener('focusin', (event) => {
      const item = /** @type {HTMLElement} */ (event.target).closest('[aria-posinset]');
      // Drawing gives the focus back; it does not move it.
      if (item && !this.#isDrawing) this.#current = Number(item.getAttribute('aria-posinset')) - 1;
    });
  }

  disconnectedCallback() {
    removeEventListener('scroll', this.#onScroll);
    this.#observer?.disconnect();
  }

  /** @param {Asset[]} items */
  set items(items) {
    // The keyboard stays on its asset when others come before it or go.
    const token = this.#focused();
    const place = token ? items.findIndex((asset) => asset.token === token) : -1;
    this.#items = items;
    this.#current = place >= 0 ? place : Math.min(this.#current, Math.max(0, items.length - 1));
    this.layout();
  }

  get items() { return this.#items; }

  /** The token of the asset that has the focus. */
  #focused() {
    const active = document.activeElement;
    return [...this.#shown].find(([, { element }]) => element.contains(active))?.[0];
  }

  /** Works out rows and columns from the room there is. */
  layout() {
    const width = this.clientWidth;
    if (!width) return;
    const gap = width < 600 ? 12 : 20;
    const least = width < 600 ? 150 : width > 1800 ? 300 : 220;
    this.#columns = this.mode === 'grid' ? Math.max(1, Math.floor((width + gap) / (least + gap))) : 1;
    this.#width = (width - gap * (this.#columns - 1)) / this.#columns;
    const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    this.#row = this.mode === 'grid' ? Math.round(this.#width * 9 / 16 + 80 * scale + gap * 0.6) : Math.round(72 * scale);
    this.style.setProperty('--gap', `${gap}px`);
    this.style.height = `${Math.ceil(this.#items.length / this.#columns) * this.#row}px`;
    this.dataset.mode = this.mode;
    this.#later();
  }

  #later() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => { this.#frame = 0; this.#draw(); });
  }

  #draw() {
    if (!this.isConnected) return;
    this.#isDrawing = true;
    try { this.#place(); } finally { this.#isDrawing = false; }
  }

  /** Shows the items that are in sight, each at its place. */
  #place() {
    const top = this.getBoundingClientRect().top;
    const from = Math.max(0, Math.floor(-top / this.#row) - 2) * this.#columns;
    const to = Math.min(this.#items.length, (Math.ceil((innerHeight - top) / this.#row) + 2) * this.#columns);
    const focus = this.contains(document.activeElement) ? this.#current : -1;
    const wanted = new Map();
    for (let index = from; index < to; index += 1) wanted.set(this.#items[index].token, index);
    if (focus >= 0 && this.#items[focus]) wanted.set(this.#items[focus].token, focus);
    for (const [token, { element }] of this.#shown) {
      if (!wanted.has(token)) { element.remove(); this.#shown.delete(token); }
    }
    // An element that is moved loses the focus.
    const focused = /** @type {HTMLElement | null} */ (this.contains(document.activeElement) ? document.activeElement : null);
    let place = this.firstElementChild;
    for (const [token, index] of [...wanted].sort((a, b) => a[1] - b[1])) {
      const element = this.#element(token, index);
      if (element === place) place = element.nextElementSibling;
      else this.insertBefore(element, place);
      const gap = parseFloat(this.style.getPropertyValue('--gap'));
      const x = (index % this.#columns) * (this.#width + gap) * (document.dir === 'rtl' ? -1 : 1);
      element.style.transform = `translate(${x}px, ${Math.floor(index / this.#columns) * this.#row}px)`;
      element.style.width = `${this.#width}px`;
      element.style.height = `${this.#row - (this.mode === 'grid' ? gap * 0.6 : 0)}px`;
      element.setAttribute('aria-posinset', String(index + 1));
      element.setAttribute('aria-setsize', String(this.#items.length));
      for (const control of element.querySelectorAll('a, button, input')) control.setAttribute('tabindex', index === this.#current ? '0' : '-1');
    }
    if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
  }

  /**
   * @param {string} token
   * @param {number} index
   */
  #element(token, index) {
    const asset = this.#items[index];
    const known = this.#shown.get(token);
    const picked = this.picked.has(token);
    if (known && known.asset === asset && known.picked === picked && known.mode === this.mode) return known.element;
    const element = known?.element ?? h('div', { role: 'listitem' });
    const isFocused = element.contains(document.activeElement) ? document.activeElement?.className : null;
    this.#fill(element, asset, picked);
    if (isFocused !== null) /** @type {HTMLElement} */ (element.querySelector(`.${isFocused?.split(' ')[0] || 'name'}`) ?? element.querySelector('.name')).focus({ preventScroll: true });
    this.#shown.set(token, { element, asset, picked, mode: this.mode });
    return element;
  }

  /**
   * @param {HTMLElement} element
   * @param {Asset} asset
   * @param {boolean} picked
   */
  #fill(element, asset, picked) {
    const state = status(asset);
    element.className = `item ${state.kind}${picked ? ' picked' : ''}`;
    const more = button('', t('moreOf', { name: asset.name }), () => menu(more, [{ icon: 'all', label: t(picked ? 'unselectOne' : 'selectOne'), action: () => this.#pick(asset.token, false) }, ...choices(asset)]), { class: 'more button bare', 'aria-haspopup': 'menu' });
    const isBusy = isActive(asset) || asset.state === 'paused';
    replace(element,
      cover(asset),
      h('input', {
        type: 'checkbox', class: 'pick', checked: picked, 'aria-label': t('select', { name: asset.name }),
        onclick: (/** @type {MouseEvent} */ event) => this.#pick(asset.token, event.shiftKey),
      }),
      this.mode === 'grid' && state.kind !== 'good' && h('span', { class: `badge ${state.kind}` }, state.word),
      this.mode === 'grid' && state.kind === 'good' && h('span', { class: 'length', 'aria-hidden': 'true' }, clock(asset.duration)),
      h('div', { class: 'text' },
        h('a', { class: 'name', href: `${ROOT}watch/${asset.token}`, title: asset.name }, asset.name),
        h('span', { class: 'facts', title: state.detail }, this.mode === 'grid' && state.kind !== 'good' ? state.detail || state.word : facts(asset)),
        this.mode === 'list' && asset.tags?.length > 0 && h('span', { class: 'tags' }, asset.tags.map((/** @type {string} */ tag) => h('span', { class: 'tag' }, tag)))),
      isBusy ? bar(asset) : asset.position > 5 && !asset.watched && h('progress', { class: 'seen', max: asset.duration || 1, value: asset.position, 'aria-label': t('watchedUntil', { time: clock(asset.position) }) }),
      more);
  }

  /**
   * @param {string} token
   * @param {boolean} isRange
   */
  #pick(token, isRange) {
    const index = this.#items.findIndex((asset) => asset.token === token);
    const last = this.#items.findIndex((asset) => asset.token === this.dataset.last);
    const isOn = !this.picked.has(token);
    const range = isRange && last >= 0 ? this.#items.slice(Math.min(index, last), Math.max(index, last) + 1) : [this.#items[index]];
    for (const asset of range) if (isOn) this.picked.add(asset.token); else this.picked.delete(asset.token);
    this.dataset.last = token;
    this.dispatchEvent(new Event('pick'));
    this.#later();
  }

  /** Draws the selection anew. */
  repick() { this.#later(); this.dispatchEvent(new Event('pick')); }

  /**
   * Arrow keys go from item to item.
   * @param {KeyboardEvent} event
   */
  #move(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = /** @type {Record<string, number>} */ ({
      ArrowRight: document.dir === 'rtl' ? -1 : 1, ArrowLeft: document.dir === 'rtl' ? 1 : -1,
      ArrowDown: this.#columns, ArrowUp: -this.#columns,
      PageDown: this.#columns * 3, PageUp: -this.#columns * 3, Home: -Infinity, End: Infinity,
    });
    const step = steps[event.key];
    // A window in the background tells of no change of the focus.
    const token = this.#focused();
    const place = this.#items.findIndex((asset) => asset.token === token);
    if (place >= 0) this.#current = place;
    if (event.key === 'x' && this.#items[this.#current]) { this.#pick(this.#items[this.#current].token, event.shiftKey); return; }
    if (event.key === 'Delete' && this.#items[this.#current]) { store.remove([this.#items[this.#current].token]); return; }
    if (step === undefined || !this.#items.length) return;
    event.preventDefault();
    this.#current = Math.max(0, Math.min(this.#items.length - 1, this.#current + step));
    const y = this.getBoundingClientRect().top + scrollY + Math.floor(this.#current / this.#columns) * this.#row;
    if (y < scrollY + 140) scrollTo({ top: y - 140 });
    else if (y + this.#row > scrollY + innerHeight - 80) scrollTo({ top: y + this.#row - innerHeight + 80 });
    this.#draw();
    /** @type {HTMLElement | undefined} */ (this.#shown.get(this.#items[this.#current].token)?.element.querySelector('.name'))?.focus({ preventScroll: true });
    this.#draw();
  }
}
customElements.define('asset-list', AssetList);

/** The library's view. */
export class LibraryView {
  #list = /** @type {AssetList} */ (document.createElement('asset-list'));
  #filter = kept('filter', 'all');
  #sort = kept('sort', 'newest');
  #tag = '';
  #text = '';
  /** @type {any[]} */
  #cues = [];
  #timer = 0;
  #bar = h('div', { class: 'filters' });
  #count = h('p', { class: 'count', role: 'status' });
  #cueBox = h('section', { class: 'cues', hidden: true, 'aria-label': t('inSubtitles') });
  #blank = h('div', {});
  #selection = h('div', { class: 'selection', role: 'toolbar', 'aria-label': t('selection'), hidden: true });
  #search = h('input', {
    type: 'search', placeholder: t('searchHint'), 'aria-label': t('search'), class: 'search', id: 'search',
    oninput: () => { this.#text = this.#search.value.trim(); this.draw(); this.#searchCues(); },
  });
  /** @param {() => void} add */
  constructor(add) { this.add = add; }

  /** @param {HTMLElement} main */
  show(main) {
    this.#list.mode = kept('mode', 'grid');
    this.#list.addEventListener('pick', () => this.#drawSelection());
    replace(main, h('h1', { class: 'unseen' }, t('library')),
      h('div', { class: 'tools' }, h('div', { class: 'search-box' }, icon('search'), this.#search), this.#bar),
      this.#count, this.#cueBox, this.#blank, this.#list, this.#selection);
    this.draw();
  }

  hide() { clearTimeout(this.#timer); }

  /** Selects all assets in the list; if all are selected, none. */
  selectAll() {
    const all = this.#list.items;
    const isAll = all.length > 0 && all.every((asset) => this.#list.picked.has(asset.token));
    this.#list.picked = new Set(isAll ? [] : all.map((asset) => asset.token));
    this.#list.repick();
  }

  /** @returns {boolean} whether there was a selection to give up */
  unselect() {
    if (!this.#list.picked.size) return false;
    this.#list.picked.clear();
    this.#list.repick();
    return true;
  }

  draw() {
    const all = store.list();
    const needle = this.#text.toLocaleLowerCase();
    // Until all are there, only the newest are.
    const isTold = store.isLoaded || this.#sort === 'newest';
    const found = all.filter((asset) => isTold && FILTERS[this.#filter](asset)
      && (!this.#tag || asset.tags?.includes(this.#tag))
      && (!needle || asset.name.toLocaleLowerCase().includes(needle) || asset.tags?.some((/** @type {string} */ tag) => tag.toLocaleLowerCase().includes(needle))));
    found.sort(SORTS[this.#sort]);
    for (const token of this.#list.picked) if (!store.assets.has(token) || store.leaving.has(token)) this.#list.picked.delete(token);
    this.#drawBar(all);
    this.#list.items = found;
    this.#drawSelection();
    const count = all.length === found.length ? t('assets', { n: all.length }) : t('assetsOf', { n: found.length, all: all.length });
    if (this.#count.textContent !== count) this.#count.textContent = count;
    this.#count.style.visibility = store.isLoaded ? '' : 'hidden';
    this.#count.hidden = !all.length;
    this.#drawBlank(all.length, found.length);
  }

  /**
   * @param {number} all
   * @param {number} found
   */
  #drawBlank(all, found) {
    const state = store.failure && !all ? 'failed' : !store.isLoaded && !found ? 'loading' : !all ? 'first' : !found && !this.#cues.length ? 'nothing' : '';
    if (this.#blank.dataset.state === state) return;
    this.#blank.dataset.state = state;
    if (state === 'loading') replace(this.#blank, h('div', { class: 'skeletons', 'aria-hidden': 'true' }, Array.from({ length: 8 }, () => h('div', { class: 'skeleton' }))));
    else if (state === 'failed') replace(this.#blank, empty('offline', t('unreachable'), t('unreachableLong'), button('retry', t('retry'), () => store.load(), { text: true })));
    else if (state === 'first') replace(this.#blank, empty('download', t('firstTitle'), t('firstText'), button('add', t('addStream'), this.add, { text: true, class: 'button primary' })));
    else if (state === 'nothing') replace(this.#blank, empty('search', t('nothingTitle'), t('nothingText'), button('close', t('clearFilters'), () => this.#clear(), { text: true })));
    else replace(this.#blank);
  }

  #clear() {
    [this.#filter, this.#tag, this.#text, this.#cues] = ['all', '', '', []];
    this.#search.value = '';
    this.#cueBox.hidden = true;
    this.draw();
  }

  /** @param {Asset[]} all */
  #drawBar(all) {
    const tags = [...new Set(all.flatMap((asset) => asset.tags ?? []))].sort(compare);
    const counts = Object.fromEntries(Object.entries(FILTERS).map(([name, test]) => [name, all.filter(test).length]));
    const key = JSON.stringify([store.isLoaded, tags, counts, this.#filter, this.#tag, this.#sort, this.#list.mode]);
    if (this.#bar.dataset.key === key) return;
    this.#bar.dataset.key = key;
    const focus = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.name;
    const chips = Object.keys(FILTERS).filter((name) => name === 'all' || counts[name] || name === this.#filter).map((name) => h('button', {
      type: 'button', class: 'chip', 'data-name': `f-${name}`, 'aria-pressed': String(this.#filter === name),
      onclick: () => { this.#filter = name; keep('filter', name); this.draw(); },
    }, t(`filter_${name}`), name !== 'all' && store.isLoaded && h('span', { class: 'number' }, counts[name])));
    const sort = button('sort', t('sortBy', { name: t(`sort_${this.#sort}`) }), () => menu(sort, Object.keys(SORTS).map((name) => ({
      label: t(`sort_${name}`), checked: name === this.#sort, action: () => { this.#sort = name; keep('sort', name); this.draw(); },
    }))), { 'data-name': 'sort', 'aria-haspopup': 'menu' });
    /** @type {any} */
    const tag = tags.length > 0 && button('tag', this.#tag || t('tags'), () => menu(/** @type {any} */ (tag), ['', ...tags].map((name) => ({
      label: name || t('allTags'), checked: name === this.#tag, action: () => { this.#tag = name; this.draw(); },
    }))), { text: true, class: `chip${this.#tag ? ' on' : ''}`, 'data-name': 'tag', 'aria-haspopup': 'menu' });
    const isGrid = this.#list.mode === 'grid';
    const row = this.#tag ? all.filter((asset) => asset.tags?.includes(this.#tag)).sort(SORTS.name).map((asset) => asset.token) : [];
    replace(this.#bar, h('div', { class: 'chips', role: 'group', 'aria-label': t('filters') }, chips, tag, row.length > 1 && h('a', { class: 'chip', href: rowURL(row, this.#tag) }, icon('play'), h('span', {}, t('playRow')))), h('div', { class: 'row end' }, sort,
      button(isGrid ? 'list' : 'grid', t(isGrid ? 'asList' : 'asGrid'), () => {
        this.#list.mode = isGrid ? 'list' : 'grid';
        keep('mode', this.#list.mode);
        this.draw();
      }, { 'data-name': 'mode' })));
    if (focus) /** @type {HTMLElement | null} */ (this.#bar.querySelector(`[data-name="${focus}"]`))?.focus();
  }

  #drawSelection() {
    const assets = [...this.#list.picked].map((token) => store.assets.get(token)).filter(Boolean);
    document.body.classList.toggle('selecting', assets.length > 0);
    this.#selection.hidden = !assets.length;
    const key = `${assets.length}`;
    if (this.#selection.dataset.key === key) return;
    this.#selection.dataset.key = key;
    if (!assets.length) { replace(this.#selection); return; }
    const now = () => [...this.#list.picked].map((token) => store.assets.get(token)).filter(Boolean);
    const tokens = () => [...this.#list.picked];
    replace(this.#selection, h('strong', { class: 'grow' }, t('selected', { n: assets.length })),
      assets.length > 1 && button('play', t('playRow'), () => { location.href = rowURL(this.#list.items.map((asset) => asset.token).filter((token) => this.#list.picked.has(token))); }),
      button('pause', t('pause'), () => act('pause', now().filter((asset) => isActive(asset)))),
      button('resume', t('resume'), () => act('resume', now().filter((asset) => asset.state !== 'complete'))),
      button('tag', t('tags'), () => editTags(now())),
      button('pin', t('pin'), () => act('pin', now())),
      button('remove', t('remove'), () => { const going = tokens(); this.unselect(); store.remove(going); }, { class: 'button bare danger' }),
      button('all', t('selectAll'), () => this.selectAll()),
      button('close', t('unselect'), () => this.unselect()));
    announce(t('selected', { n: assets.length }));
  }

  #searchCues() {
    clearTimeout(this.#timer);
    const text = this.#text;
    if (text.length < 2) { this.#cues = []; this.#cueBox.hidden = true; return; }
    this.#timer = setTimeout(async () => {
      try {
        const found = await ask('GET', `search?q=${encodeURIComponent(text)}`);
        if (text !== this.#text) return;
        this.#cues = found.cues;
        this.#drawCues(text, found.pending);
        this.draw();
      } catch { this.#cueBox.hidden = true; }
    }, 250);
  }

  /**
   * @param {string} text
   * @param {number} pending
   */
  #drawCues(text, pending) {
    this.#cueBox.hidden = !this.#cues.length && !pending;
    const items = this.#cues.slice(0, 20).map((cue) => h('li', {}, h('a', { href: `${ROOT}watch/${cue.asset}#t=${Math.max(0, cue.start - 0.5).toFixed(1)}` },
      h('span', { class: 'time' }, clock(cue.start)), h('span', { class: 'grow' }, marked(cue.text, text)),
      h('span', { class: 'muted' }, `${store.assets.get(cue.asset)?.name ?? ''} · ${languageName(cue.language)}`))));
    replace(this.#cueBox, h('h2', {}, t('inSubtitles')), h('ul', {}, items), pending > 0 && h('p', { class: 'muted' }, t('searchPending', { n: pending })));
  }
}
