// @ts-check
/**
 * The page's data of all assets: a snapshot, kept up to date by the event stream. One of several tabs holds the
 * stream and
 * tells the others; hidden tabs hold none, because a browser has six connections to a host.
 */

import { ask, control } from './api.js';
import { confirm, ROOT, tell, toast } from './dom.js';
import { t } from './texts.js';

/** @typedef {any} Asset the asset object's summary (GET /api/v1/assets?view=summary) */

/** The numbers of assets per request: the first answer is shown at once, the others follow. */
const [FIRST, PAGE] = [60, 1000];
/** The number of assets that fit into a request that outlives its page (64 KB). */
const MANY = 1000;
const SIGN = 2000;
const PATIENCE = 5000;
/** The number of events from before the page was opened that are read. */
const PAST = 300;
/** The events that the server keeps. */
const KEPT = ['added', 'state', 'removed', 'changed', 'failover', 'damaged', 'health'];

/** The newest assets, which the server's page brings with it, as the API lists them; `null` the second time. */
function brought() {
  const element = document.getElementById('first');
  element?.remove();
  return element && !location.search.includes('before=') && JSON.parse(element.textContent ?? '');
}

/** Waits until the browser has painted. */
const painted = () => new Promise((done) => { if (document.hidden) done(null); else requestAnimationFrame(() => setTimeout(done)); });

class Store extends EventTarget {
  /** @type {Map<string, Asset>} by token */
  assets = new Map();
  /** Whether the snapshot is complete. */
  isLoaded = false;
  /** @type {Error | null} why there is no snapshot */
  failure = null;
  /** Whether events arrive. */
  isConnected = false;
  /** The newest event that `assets` knows. */
  last = 0;
  /** @type {Set<string>} assets to be removed when the time for undoing is over */
  leaving = new Set();
  /** @type {any[]} events, the newest first */
  log = [];
  #isRecalled = false;

  #id = Math.random();
  /** @type {EventSource | null} */
  #source = null;
  #channel = 'BroadcastChannel' in window ? new BroadcastChannel(`offline-server ${ROOT}`) : null;
  #heard = 0;
  #frame = 0;
  #minor = 0;
  #timer = 0;
  #isFetching = false;
  #isStale = false;
  /** @type {Map<string, {tokens: string[]}>} */
  #departures = new Map();

  /** Loads everything, then follows. */
  async start() {
    this.#channel?.addEventListener('message', ({ data }) => this.#hear(data));
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#hide() : this.#show()));
    addEventListener('pagehide', () => { this.#depart(); this.#hide(); });
    addEventListener('pageshow', (event) => { if (event.persisted) this.#show(); });
    setInterval(() => this.#watch(), SIGN);
    await this.load();
    this.#show();
  }

  /** Reads all assets anew. */
  async load() {
    try {
      /** @type {Map<string, Asset>} */
      const assets = new Map();
      let before = '';
      let last = 0;
      for (;;) {
        const page = !before && brought() || await ask('GET', `assets?view=summary&limit=${before ? PAGE : FIRST}${before && `&before=${before}`}`);
        if (!before) last = page.last_event;
        for (const asset of page.assets) assets.set(asset.token, asset);
        // Each page is shown before the next one is there.
        if (!this.isLoaded && page.next) {
          this.assets = new Map(assets);
          this.changed();
          await painted();
        }
        if (!page.next) break;
        before = page.next;
      }
      [this.assets, this.last, this.isLoaded, this.failure] = [assets, last, true, null];
    } catch (error) {
      this.failure = /** @type {Error} */ (error);
      setTimeout(() => { if (!this.isLoaded) this.load().then(() => this.#show()); }, 3000);
    }
    this.changed();
  }

  /**
   * Redraws views in the next frame.
   * @param {string} [token] the changed asset; left out for many
   * @param {boolean} [isMinor] whether the views can be redrawn a little later
   */
  changed(token, isMinor = false) {
    if (token) this.dispatchEvent(new CustomEvent('asset', { detail: token }));
    const draw = () => {
      this.#frame = 0;
      clearTimeout(this.#minor);
      this.#minor = 0;
      this.dispatchEvent(new Event('change'));
    };
    // Figures that change many times a second are drawn some times a second.
    if (isMinor) this.#minor ||= setTimeout(draw, 200);
    else if (!this.#frame) this.#frame = document.hidden ? setTimeout(draw, 100) : requestAnimationFrame(draw);
  }

  /** Reads the changes since the newest known event; simultaneous calls share a request. */
  refresh() {
    if (!this.isLoaded) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fetch(), 60);
  }

  async #fetch() {
    if (this.#isFetching) { this.#isStale = true; return; }
    this.#isFetching = true;
    try {
      const page = await ask('GET', `assets?view=summary&limit=${PAGE}&since=${this.last}`);
      if (page.gap || page.next) { await this.load(); return; }
      for (const asset of page.assets) this.assets.set(asset.token, asset);
      for (const token of page.removed) this.assets.delete(token);
      this.last = page.last_event;
      for (const asset of page.assets) this.changed(asset.token);
      for (const token of page.removed) this.changed(token);
      this.changed();
    } catch {
      this.#isStale = true;
    } finally {
      this.#isFetching = false;
      if (this.#isStale) { this.#isStale = false; setTimeout(() => this.refresh(), 500); }
    }
  }

  // Several tabs

  #show() {
    if (!this.isLoaded || document.hidden) return;
    this.#heard = 0;
    this.refresh();
    this.#channel?.postMessage({ kind: 'who' });
    setTimeout(() => { if (!this.#heard) this.#lead(); }, this.#channel ? 150 : 0);
  }

  #hide() {
    if (!this.#source) return;
    this.#source.close();
    this.#source = null;
    this.#channel?.postMessage({ kind: 'bye' });
  }

  #watch() {
    if (document.hidden || !this.isLoaded) return;
    if (this.#source) this.#channel?.postMessage({ kind: 'alive', id: this.#id, isConnected: this.isConnected });
    else if (Date.now() - this.#heard > PATIENCE) this.#lead();
  }

  /** @param {any} data */
  #hear(data) {
    if (data.kind === 'who' && this.#source) this.#channel?.postMessage({ kind: 'alive', id: this.#id, isConnected: this.isConnected });
    if (data.kind === 'alive') {
      if (this.#source && data.id < this.#id) { this.#source.close(); this.#source = null; }
      this.#heard = Date.now();
      if (!this.#source) this.#connect(data.isConnected);
    }
    if (data.kind === 'bye') { this.#heard = 0; setTimeout(() => { if (!this.#heard && !document.hidden) this.#lead(); }, Math.random() * 400); }
    if (data.kind === 'event' && !this.#source) { this.#heard = Date.now(); this.#take(data.type, data.data); }
  }

  /** @param {boolean} isConnected */
  #connect(isConnected) {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    this.dispatchEvent(new Event('connection'));
    // Reads the changes of the time without a connection.
    if (isConnected) this.refresh();
  }

  #lead() {
    if (this.#source || document.hidden || !this.isLoaded) return;
    const source = new EventSource(`${ROOT}api/v1/events?since=${this.last}`);
    this.#source = source;
    source.onopen = () => this.#connect(true);
    source.onerror = () => {
      this.#connect(false);
      // A server that answers with an error is not asked again by browsers.
      if (source.readyState === EventSource.CLOSED && this.#source === source) {
        this.#source = null;
        // The error has no status. The answer to a request says whether this device was signed out.
        ask('GET', 'sessions').catch(() => {});
        setTimeout(() => this.#lead(), 3000);
      }
    };
    for (const type of [...KEPT, 'progress', 'activity', 'gap']) {
      source.addEventListener(type, (event) => {
        const data = JSON.parse(/** @type {MessageEvent} */ (event).data);
        this.#channel?.postMessage({ kind: 'event', type, data });
        this.#take(type, data);
      });
    }
  }

  /**
   * @param {string} type
   * @param {any} data
   */
  #take(type, data) {
    const asset = this.assets.get(data.token);
    if (type === 'gap') { this.load(); return; }
    if (type === 'progress') {
      if (!asset) return;
      const speed = data.speed;
      const left = data.expected === null ? null : Math.max(0, data.expected - data.stored);
      this.assets.set(data.token, {
        ...asset, progress: data.progress, speed, eta: speed && left !== null ? left / speed : null,
        bytes: { ...asset.bytes, stored: data.stored, expected: data.expected },
      });
    } else if (type === 'activity') {
      if (asset) this.assets.set(data.token, { ...asset, activity: data.activity });
    } else {
      this.log.unshift(data);
      this.log.length = Math.min(this.log.length, 500);
      if (type === 'removed') this.assets.delete(data.token);
      else if (asset && data.state) this.assets.set(data.token, { ...asset, state: data.state, reason: data.reason, error: data.error ?? (data.state === 'failed' ? asset.error : null), speed: null });
      this.refresh();
    }
    this.changed(data.token, type === 'progress' || type === 'activity');
  }

  /**
   * Posters that were changed here, and how often: with the same address, a browser would show the old picture.
   * @type {Map<string, number>}
   */
  #pictures = new Map();

  /** @param {string} token an asset with a new poster */
  touched(token) {
    this.#pictures.set(token, (this.#pictures.get(token) ?? 0) + 1);
    this.set(token, {});
  }

  /**
   * Changes members of an asset before the event about it arrives.
   * @param {string} token
   * @param {Record<string, any>} members
   */
  set(token, members) {
    const asset = this.assets.get(token);
    if (asset) this.assets.set(token, { ...asset, ...members });
    this.changed(token);
  }

  /** @param {string} token */
  poster(token) { const count = this.#pictures.get(token); return `${ROOT}assets/${token}/poster${count ? `?${count}` : ''}`; }

  /** Adds events from before the page was opened to the log, once. */
  async recall() {
    if (this.#isRecalled || !this.isLoaded) return;
    this.#isRecalled = true;
    const end = this.last;
    /** @type {any[]} */
    const found = [];
    const source = new EventSource(`${ROOT}api/v1/events?since=${Math.max(0, end - PAST)}`);
    await new Promise((done) => {
      setTimeout(done, 3000);
      source.onerror = done;
      for (const type of KEPT) source.addEventListener(type, (event) => { found.unshift(JSON.parse(/** @type {MessageEvent} */ (event).data)); if (found[0].id >= end) done(null); });
    });
    source.close();
    const known = new Set(this.log.map((event) => event.id));
    this.log.push(...found.filter((event) => !known.has(event.id)));
    this.changed();
  }

  // Removing, which can be taken back for a while

  /** @param {string[]} tokens */
  async remove(tokens) {
    if (tokens.length > MANY) {
      if (await confirm(t('removeMany', { n: tokens.length }), t('removeManyLong'), t('remove'))) await this.#removeMany(tokens);
      return;
    }
    const key = tokens.join();
    for (const token of tokens) this.leaving.add(token);
    this.#departures.set(key, { tokens });
    this.changed();
    toast(t('removedAssets', { n: tokens.length }), {
      seconds: 8, action: [t('undo'), () => {
        this.#departures.delete(key);
        for (const token of tokens) this.leaving.delete(token);
        this.changed();
      }],
      onend: () => this.#depart(key),
    });
  }

  /** @param {string[]} tokens */
  async #removeMany(tokens) {
    for (const token of tokens) this.leaving.add(token);
    this.changed();
    try {
      for (let from = 0; from < tokens.length; from += MANY) await control('remove', tokens.slice(from, from + MANY));
    } catch (error) {
      tell(error);
    }
    for (const token of tokens) this.leaving.delete(token);
    this.refresh();
    this.changed();
  }

  /** @param {string} [only] */
  #depart(only) {
    for (const [key, { tokens }] of this.#departures) {
      if (only !== undefined && key !== only) continue;
      this.#departures.delete(key);
      control('remove', tokens, {}, { keepalive: true }).catch((error) => {
        toast(error.message, { kind: 'error' });
      }).finally(() => { for (const token of tokens) this.leaving.delete(token); this.refresh(); });
    }
  }

  /** All assets that are not on their way out. */
  list() {
    return [...this.assets.values()].filter((asset) => !this.leaving.has(asset.token));
  }
}

export const store = new Store();
