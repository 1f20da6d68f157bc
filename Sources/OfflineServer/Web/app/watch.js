// @ts-check
/** The page with the player. */

import { ask, keep, kept, playlistURL } from './api.js';
import { announce, button, copy, dialog, empty, field, h, icon, marked, menu, replace, ROOT, tell, toast } from './dom.js';
import { chapterAt, readChapters } from './chapters.js';
import { CueLayer, USUAL } from './cues.js';
import { Engine, fragment, Track } from './engine.js';
import { Previews } from './previews.js';
import { listed, nameOf } from './row.js';
import { cover, mending, status } from './status.js';
import { store } from './store.js';
import { bitrate, bytes, clock, languageName, t } from './texts.js';

const RATES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3];
/** Seconds until the next of a row begins. */
const BREAK = 8;

/**
 * The page of the asset that the address names.
 * @param {HTMLElement} main
 */
export async function watch(main) {
  const before = main.querySelector('video');
  before?.pause();
  before?.removeAttribute('src');
  const page = new WatchPage(main);
  Reflect.set(window, 'watchPage', page);
  const named = () => location.pathname.split('/').pop() ?? '';
  addEventListener('popstate', () => { if (named() !== page.asset?.token) page.load(named()); else page.jump(); });
  await page.load(named());
}

class WatchPage {
  video = h('video', { playsinline: true, preload: 'auto', 'aria-label': t('video'), tabindex: -1 });
  /** @type {Engine | null} */
  engine = null;
  /** The way of playback: mse, hls, mp4 or none. */
  way = 'none';
  /** @type {any} */
  timeline = null;
  /** @type {any[]} */
  subtitles = [];
  #hideTimer = 0;
  #sent = -1;
  #message = h('div', { class: 'player-message', role: 'status' });
  #spinner = h('div', { class: 'player-spinner', hidden: true }, h('span', { class: 'spinner large' }));
  #figures = h('div', { class: 'figures', hidden: true });
  #time = h('span', { class: 'time' });
  #chapter = h('span', { class: 'chapter' });
  #seek = h('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, class: 'seek', 'aria-label': t('seek') });
  #stored = h('div', { class: 'stretches', 'aria-hidden': 'true' });
  #played = h('div', { class: 'played', 'aria-hidden': 'true' });
  #tip;
  #transcript = h('section', { class: 'panel transcript', hidden: true });
  #marks = h('div', { class: 'marks', 'aria-hidden': 'true' });
  #flash = h('div', { class: 'flash', 'aria-hidden': 'true' });
  #next = h('div', { class: 'next-card', hidden: true });
  #row = h('section', { class: 'panel', hidden: true });
  /** The picture of an asset that has sound alone. */
  #cover = h('div', { class: 'player-cover', hidden: true, 'aria-hidden': 'true' });
  #facts = h('p', { class: 'muted' });
  #state = h('div', { class: 'note', hidden: true });
  #said = h('p', {});
  #isSeeking = false;
  #scrub = 0;
  #flashTimer = 0;
  /** The number of loads: results of an earlier load are ignored. */
  #loads = 0;
  #startsAt = 0;
  /** Whether it does not play because of what can be mended. */
  #isTroubled = false;
  /** @type {number[]} timers of the present asset */
  #timers = [];
  /** @type {import('./chapters.js').Chapter[]} */
  chapters = [];
  previews = new Previews();
  /** The time of the visible frame, and a frame's length, if they are known. */
  #frame = { at: -1, length: 0 };
  /** @type {any} */
  asset = null;

  /** @param {HTMLElement} main */
  constructor(main) {
    this.main = main;
    this.cues = new CueLayer(this.video, '');
    this.#tip = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' }, this.previews.element, h('span', { class: 'tip-text' }));
    this.cues.addEventListener('cues', () => this.drawTranscript());
    this.#build();
    store.addEventListener('change', () => { this.drawRow(); this.#catchUp(); });
    store.addEventListener('asset', (/** @type {any} */ event) => {
      if (event.detail === this.asset?.token && store.isLoaded && !store.assets.has(event.detail)) this.#leave(t('assetRemoved'));
      if (event.detail === this.asset?.token) this.#follow(store.assets.get(event.detail));
      // The asset may have been repaired.
      if (this.#isTroubled && event.detail === this.asset?.token && status(store.assets.get(event.detail) ?? this.asset).kind !== 'bad') this.load(event.detail);
    });
  }

  get duration() { return this.engine && this.timeline?.live ? this.engine.liveEnd : Number.isFinite(this.video.duration) && this.video.duration > 0 ? this.video.duration : this.asset?.duration ?? 0; }

  #build() {
    const make = (/** @type {string} */ name, /** @type {string} */ label, /** @type {(event: any) => void} */ action, /** @type {any} */ more = {}) => button(name, label, action, { class: 'control', ...more });
    const opens = { 'aria-haspopup': 'menu' };
    this.playButton = make('play', t('play'), () => this.toggle(), { 'aria-keyshortcuts': 'k' });
    this.muteButton = make('volume', t('mute'), () => { this.video.muted = !this.video.muted; }, { 'aria-keyshortcuts': 'm' });
    this.volume = h('input', { type: 'range', min: 0, max: 1, step: 0.05, value: kept('volume', 1), class: 'volume', 'aria-label': t('volume'), oninput: () => { this.video.muted = false; this.video.volume = Number(this.volume.value); keep('volume', this.video.volume); } });
    this.liveButton = h('button', { type: 'button', class: 'control live', hidden: true, onclick: () => { this.video.currentTime = Math.max(0, this.duration - 6); } }, t('live'));
    this.subtitleButton = make('subtitles', t('subtitles'), () => this.subtitleMenu(), { 'aria-keyshortcuts': 'c', ...opens });
    this.audioButton = make('audio', t('audio'), () => this.audioMenu(), opens);
    this.qualityButton = make('quality', t('quality'), () => this.qualityMenu(), opens);
    this.chapterButton = make('chapters', t('chapters'), () => this.chapterMenu(), opens);
    this.nextButton = make('next', t('nextOfRow'), () => this.go(1), { 'aria-keyshortcuts': 'Shift+N' });
    this.speedButton = make('speed', t('playSpeed'), () => this.speedMenu(), opens);
    this.pipButton = document.pictureInPictureEnabled && make('pip', t('pip'), () => this.pip(), { 'aria-keyshortcuts': 'i' });
    this.fullButton = make('full', t('fullScreen'), () => this.full(), { 'aria-keyshortcuts': 'f' });
    this.player = h('div', { class: 'player', tabindex: -1 }, this.video, this.#cover, this.cues.element, this.#spinner, this.#message, this.#flash, this.#figures, this.#next,
      h('div', { class: 'controls' },
        h('div', { class: 'seek-box' }, this.#stored, this.#played, this.#marks, this.#seek, this.#tip),
        h('div', { class: 'buttons' }, this.playButton, this.nextButton, make('back10', t('back10'), () => this.skip(-10), { 'aria-keyshortcuts': 'j' }), make('forward10', t('forward10'), () => this.skip(10), { 'aria-keyshortcuts': 'l' }),
          this.muteButton, this.volume, this.#time, this.liveButton, this.#chapter, h('span', { class: 'grow' }),
          this.chapterButton, this.subtitleButton, this.audioButton, this.qualityButton, this.speedButton, this.pipButton || null, make('keys', t('keysSheet'), () => this.sheet(), { 'aria-keyshortcuts': '?' }), this.fullButton)));
    this.video.volume = Math.min(1, Math.max(0, kept('volume', 1)));
    this.#listen();
  }

  #listen() {
    const { video, player } = this;
    for (const name of ['play', 'pause', 'timeupdate', 'durationchange', 'seeked', 'volumechange', 'ratechange', 'progress', 'ended']) video.addEventListener(name, () => this.draw());
    video.addEventListener('waiting', () => { this.#spinner.hidden = false; });
    for (const name of ['playing', 'canplay', 'seeked', 'pause']) video.addEventListener(name, () => { if (video.readyState > 2) { this.#spinner.hidden = true; this.say(''); } });
    for (const name of ['loadedmetadata', 'resize']) video.addEventListener(name, () => this.#drawCover());
    video.addEventListener('timeupdate', () => this.remember());
    video.addEventListener('pause', () => this.remember(true));
    video.addEventListener('ended', () => { this.remember(true); this.#offerNext(); });
    for (const name of ['play', 'seeking']) video.addEventListener(name, () => this.#dropNext());
    video.addEventListener('error', () => { if (video.hasAttribute('src')) this.engineFailed({ message: video.error?.message }); });
    video.addEventListener('click', () => this.toggle());
    video.addEventListener('dblclick', () => this.full());
    addEventListener('pagehide', () => this.remember(true));
    this.#seek.addEventListener('input', () => { this.#isSeeking = true; clearTimeout(this.#scrub); this.#scrub = setTimeout(() => { video.currentTime = Number(this.#seek.value); }, 120); this.#hintAt(Number(this.#seek.value) / (this.duration || 1)); this.draw(); });
    this.#seek.addEventListener('change', () => { clearTimeout(this.#scrub); this.#isSeeking = false; video.currentTime = Number(this.#seek.value); });
    this.#seek.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => { if (['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.key)) event.preventDefault(); });
    this.#seek.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => this.#hint(event));
    for (const name of ['pointerleave', 'change', 'blur']) this.#seek.addEventListener(name, () => { this.#tip.hidden = true; this.previews.hide(); });
    const wake = () => { player.classList.remove('idle'); clearTimeout(this.#hideTimer); this.#hideTimer = setTimeout(() => { if (!video.paused && this.#cover.hidden && !document.querySelector('.menu') && !player.querySelector('.controls :focus-visible')) player.classList.add('idle'); }, 2800); };
    for (const name of ['pointermove', 'pointerdown', 'keydown', 'focusin']) player.addEventListener(name, wake);
    video.addEventListener('play', wake);
    video.addEventListener('pause', () => player.classList.remove('idle'));
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('fullscreenchange', () => this.draw());
    this.#gestures();
    this.#watchFrames();
  }

  /** Shows the asset's picture in place of a black one. */
  #drawCover() {
    this.#cover.hidden = !this.asset || this.video.readyState < 1 || this.video.videoWidth > 0;
    if (!this.#cover.hidden) replace(this.#cover, cover(this.asset));
  }

  /** A double tap at a side of the picture skips. */
  #gestures() {
    let last = 0;
    this.video.addEventListener('pointerup', (/** @type {PointerEvent} */ event) => {
      if (event.pointerType !== 'touch') return;
      const now = performance.now();
      const share = event.offsetX / this.video.clientWidth;
      if (now - last < 300 && (share < 0.35 || share > 0.65)) { this.skip(share < 0.35 ? -10 : 10); last = 0; } else last = now;
    });
  }

  /** Notes when each frame is shown, for steps of one frame. */
  #watchFrames() {
    const { video } = this;
    if (!video.requestVideoFrameCallback) return;
    const see = (/** @type {number} */ _, /** @type {any} */ frame) => {
      const length = frame.mediaTime - this.#frame.at;
      if (length > 0.004 && length < 0.11 && !video.paused && (!this.#frame.length || length < this.#frame.length * 1.2)) this.#frame.length = length;
      this.#frame.at = frame.mediaTime;
      video.requestVideoFrameCallback(see);
    };
    video.requestVideoFrameCallback(see);
  }

  /** @param {1 | -1} way */
  step(way) {
    const { video } = this;
    video.pause();
    const length = this.#frame.length || 1 / 25;
    const at = Math.floor(video.currentTime / length + 0.01) * length;
    // Into the middle of the frame: its edges are rounded.
    video.currentTime = Math.max(0, at + length * (way > 0 ? 1.5 : -0.5));
  }

  /** @param {PointerEvent} event */
  #hint(event) {
    const box = this.#seek.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    this.#hintAt(document.dir === 'rtl' ? 1 - share : share);
  }

  /**
   * The picture, the chapter and the time of a place on the seek bar.
   * @param {number} place from 0 to 1
   */
  #hintAt(place) {
    const share = Math.min(1, Math.max(0, place));
    const time = share * this.duration;
    this.#tip.hidden = false;
    this.#tip.lastElementChild.textContent = [chapterAt(this.chapters, time)?.title, clock(time)].filter(Boolean).join(' · ');
    this.previews.show(time);
    const half = Math.min(0.5, this.#tip.offsetWidth / 2 / (this.#seek.clientWidth || 1));
    this.#tip.style.insetInlineStart = `${100 * Math.min(1 - half, Math.max(half, share))}%`;
  }

  /**
   * Shows a text over the picture, and has assistive technology read it.
   * @param {string} text
   */
  flash(text) {
    announce(text);
    this.#flash.textContent = text;
    this.#flash.classList.add('on');
    clearTimeout(this.#flashTimer);
    this.#flashTimer = setTimeout(() => this.#flash.classList.remove('on'), 900);
  }

  /**
   * Loads another asset into the same player.
   * @param {string} token
   */
  async load(token) {
    this.#loads += 1;
    const number = this.#loads;
    this.#end();
    try {
      const asset = await ask('GET', `assets/${token}`);
      if (number !== this.#loads) return;
      this.asset = asset;
      this.cues.use(token);
      await this.show(number);
    } catch (error) {
      if (number === this.#loads) this.#leave(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Shows that there is no asset any more, and the way to the others.
   * @param {string} text
   */
  #leave(text) {
    this.#loads += 1;
    this.#end();
    this.asset = null;
    replace(this.main, empty('warning', t('noAsset'), text, h('a', { class: 'button', href: ROOT }, t('toLibrary'))));
  }

  /** Lets go of the asset that was shown. */
  #end() {
    if (this.asset) this.remember(true);
    this.engine?.stop();
    for (const timer of this.#timers) clearInterval(timer);
    [this.engine, this.timeline, this.chapters, this.subtitles, this.reason, this.#timers, this.#sent] = [null, null, [], [], undefined, [], -1];
    this.#frame = { at: -1, length: 0 };
    this.#isTroubled = false;
    this.previews.use(null);
    this.#dropNext();
    replace(this.#message);
    this.#message.dataset.text = '';
    replace(this.#marks);
    this.#transcript.hidden = true;
    this.video.removeAttribute('src');
    this.video.load();
  }

  /** Goes to the moment that the address names. */
  jump() {
    const asked = /[#&]t=([0-9.]+)/.exec(location.hash);
    if (asked) this.video.currentTime = Number(asked[1]);
  }

  /** @param {number} number of the load */
  async show(number) {
    const { asset, main } = this;
    document.title = `${asset.name} – offline-server`;
    this.#state.dataset.key = '';
    this.drawState();
    this.about = h('div', { class: 'about' },
      h('div', { class: 'row' }, h('h1', { class: 'grow' }, asset.name), h('a', { class: 'button', href: `${ROOT}#asset/${asset.token}` }, icon('info'), h('span', {}, t('details')))),
      this.#facts, this.#state);
    this.elsewhere = h('details', { class: 'panel' }, h('summary', {}, t('elsewhere')), this.#lines());
    replace(main, h('nav', { class: 'crumbs', 'aria-label': t('breadcrumbs') }, h('a', { href: ROOT }, icon('back'), h('span', {}, t('library')))), this.player, this.about, this.#row, this.#transcript, this.elsewhere);
    this.drawRow();
    this.draw();
    const position = ask('GET', `assets/${asset.token}/position`).catch(() => ({ position: null, watched: false }));
    const timeline = await this.#resolved(number);
    if (number !== this.#loads) return;
    this.timeline = timeline;
    const at = this.#startPoint(await position);
    await this.begin(at);
    if (number !== this.#loads) return;
    // The picture comes first.
    const found = await fetch(`${ROOT}assets/${asset.token}/subtitles`).then((response) => (response.ok ? response.json() : null)).catch(() => null);
    if (number !== this.#loads) return;
    this.subtitles = found?.subtitles ?? [];
    if (at > 5 && !location.hash.includes('t=')) toast(t('wentOn', { time: clock(at) }), { action: [t('startOver'), () => { this.video.currentTime = 0; }] });
    const wanted = kept('subtitles', '');
    const own = this.subtitles.find((entry) => wanted && entry.language?.split('-')[0] === wanted.split('-')[0] && !entry.forced) ?? this.subtitles.find((entry) => entry.forced);
    if (own) this.cues.choose(own);
    this.previews.use(this.engine ? this.timeline : null, this.way === 'mp4' ? `${ROOT}assets/${asset.token}/video.mp4` : undefined);
    readChapters(asset.token).then((found) => { if (number === this.#loads) { this.chapters = found; this.drawMarks(); this.draw(); } });
    this.#session();
    this.draw();
    this.drawStretches();
    if (!this.engine && this.timeline && !this.timeline.complete) this.#timers.push(setInterval(() => ask('GET', `assets/${asset.token}/timeline`).then((found) => { this.timeline = found; this.drawStretches(); }).catch(() => {}), 5000));
    this.#timers.push(setInterval(() => { if (!this.#figures.hidden) this.drawFigures(); }, 500));
    this.playButton.focus({ preventScroll: true });
    if (/[#&]play\b/.test(location.hash)) this.video.play().catch(() => { /* the browser wants a click first */ });
  }

  #isCaughtUp = false;

  /** Takes the state of the asset from the list when that is there: what changed before then came without an event. */
  #catchUp() {
    if (this.#isCaughtUp || !store.isLoaded || !this.asset) return;
    this.#isCaughtUp = true;
    this.#follow(store.assets.get(this.asset.token));
  }

  /**
   * Takes what the store has learned about the asset.
   * @param {any} known a summary; `undefined` for an asset that is gone
   */
  async #follow(known) {
    const { asset } = this;
    if (!known) return;
    const isOther = known.state !== asset.state || known.health !== asset.health;
    this.asset = { ...asset, ...known };
    this.drawState();
    if (!isOther) return;
    // A summary has no problems.
    const found = await ask('GET', `assets/${asset.token}`).catch(() => null);
    if (!found || this.asset?.token !== asset.token) return;
    this.asset = found;
    this.drawState();
  }

  /** Shows the state of the asset, and the buttons that mend it. */
  drawState() {
    const { asset } = this;
    const state = status(asset);
    const problems = (asset.problems ?? []).slice(0, 3).map((/** @type {any} */ problem) => problem.detail);
    this.#facts.textContent = [clock(asset.duration), bytes(asset.bytes.stored), asset.tags.join(', ')].filter(Boolean).join(' · ');
    this.#said.textContent = [state.word, state.detail].filter(Boolean).join(' · ');
    const key = JSON.stringify([state.kind, state.word, problems]);
    if (this.#state.dataset.key === key) return;
    this.#state.dataset.key = key;
    this.#state.className = `note ${state.kind}`;
    this.#state.hidden = state.kind === 'good';
    replace(this.#state, icon(state.kind === 'busy' ? 'download' : 'warning'), h('div', { class: 'grow' }, this.#said, problems.map((/** @type {string} */ text) => h('p', { class: 'muted' }, text)), h('div', { class: 'row wrap' }, mending(asset))));
  }

  /**
   * The timeline, as soon as the stream's playlists have been read; `null` for one that can't be.
   * @param {number} number of the load
   */
  async #resolved(number) {
    while (number === this.#loads) {
      const timeline = await ask('GET', `assets/${this.asset.token}/timeline`).catch(() => null);
      if (!timeline || timeline.renditions.some((/** @type {any} */ r) => r.durations.length)) { this.say(''); return timeline; }
      if (['failed', 'cancelled', 'paused'].includes(this.asset.state)) return null;
      this.say(status(this.asset).word);
      await new Promise((done) => setTimeout(done, 200));
      const { asset } = this;
      const found = await ask('GET', `assets/${asset.token}`).catch(() => asset);
      if (this.asset === asset) this.asset = found;
    }
    return null;
  }

  /** @param {{position: number | null, watched: boolean}} position */
  #startPoint(position) {
    const asked = /[#&]t=([0-9.]+)/.exec(location.hash);
    if (asked) return Number(asked[1]);
    if (this.timeline?.live) return 0;
    const at = position.position ?? 0;
    return at > 5 && at < this.asset.duration * 0.95 ? at : 0;
  }

  /**
   * Chooses the best way that this browser has, and begins.
   * @param {number} at
   */
  async begin(at) {
    [this.way, this.#startsAt] = ['none', at];
    if (this.timeline) await fragment(this.timeline).catch(() => {});
    const number = this.#loads;
    if (this.timeline && Engine.plays(this.timeline)) {
      try { await this.useEngine(at); return; } catch (error) { if (number !== this.#loads) return; this.engine?.stop(); this.engine = null; this.reason = /** @type {Error} */ (error).message; }
    }
    if (this.way === 'none' || this.way === 'mse') await this.fallBack(at);
  }

  /** @param {number} at */
  async useEngine(at) {
    this.engine = new Engine(this.video, this.timeline);
    this.engine.addEventListener('append', () => this.drawStretches());
    this.engine.addEventListener('timeline', () => { this.timeline = this.engine?.timeline; this.previews.refresh(this.timeline); this.drawStretches(); this.draw(); });
    this.engine.addEventListener('track', () => this.draw());
    this.engine.addEventListener('wait', (/** @type {any} */ event) => {
      const isNetwork = event.detail.message === 'network';
      // Nothing has arrived, and nothing will before the asset is mended.
      if (!isNetwork && !this.video.readyState && status(this.asset).kind === 'bad') { this.failed(event.detail.message); return; }
      const ways = isNetwork ? [] : mending(this.asset);
      this.#spinner.hidden = ways.length > 0;
      this.say(isNetwork ? t('unreachable') : event.detail.message, ways);
    });
    this.engine.addEventListener('failure', (/** @type {any} */ event) => this.engineFailed(event.detail));
    this.way = 'mse';
    await this.engine.start(at, { audio: kept('audio', '') });
    if (this.timeline.live) this.liveButton.hidden = false;
    this.drawStretches();
  }

  /**
   * The way that was taken does not play: the next one is tried.
   * @param {any} error
   */
  engineFailed(error) {
    const at = this.video.currentTime || this.#startsAt;
    const plays = !this.video.paused;
    this.engine?.stop();
    this.engine = null;
    if (error.status === 403) { this.failed(error.message); return; }
    this.reason ??= error.message;
    this.fallBack(at, plays);
  }

  /**
   * HLS by the browser itself, then a whole MP4, then other players.
   * @param {number} at
   * @param {boolean} plays whether it was playing and is to go on by itself
   */
  async fallBack(at, plays = false) {
    const codec = this.#foreignCodec();
    if (codec) {
      this.way = 'none';
      this.failed(t('cannotPlayCodec', { codec }));
      return;
    }
    const base = `${ROOT}assets/${this.asset.token}/`;
    const encrypted = this.asset.license?.state !== 'none';
    const number = this.#loads;
    const begin = (/** @type {string} */ url) => { this.video.src = url; if (plays) this.video.play().catch(() => {}); if (at > 0) this.video.addEventListener('loadedmetadata', () => { this.video.currentTime = at; }, { once: true }); };
    if (['none', 'mse'].includes(this.way) && this.video.canPlayType('application/vnd.apple.mpegurl')) {
      this.way = 'hls';
      begin(`${base}master.m3u8${encrypted ? '?decrypt=1' : ''}`);
      return;
    }
    if (this.way !== 'mp4') {
      this.way = 'mp4';
      const whole = await fetch(`${base}video.mp4`, { method: 'HEAD' }).catch(() => null);
      if (number !== this.#loads) return;
      if (whole?.ok) { begin(`${base}video.mp4`); return; }
    }
    this.way = 'none';
    this.failed(t('cannotPlay'));
  }

  /**
   * A codec because of which this browser would show no picture or play no sound, whatever way is taken; `undefined` if
   * there is none, or if the codecs are not known.
   */
  #foreignCodec() {
    const media = /^(hvc|hev|dvh|dva|av01|ac-3|ec-3|ac-4|dts)/i;
    for (const type of ['variant', 'audio']) {
      const strange = (this.timeline?.renditions ?? []).filter((/** @type {any} */ r) => r.type === type && r.playlist)
        .map((/** @type {any} */ r) => (r.codecs ?? '').split(',').map((/** @type {string} */ name) => name.trim()).find((/** @type {string} */ name) => media.test(name) && !this.video.canPlayType(`video/mp4; codecs="${name}"`)));
      if (strange.length && strange.every(Boolean)) return strange[0];
    }
    return undefined;
  }

  /**
   * Shows the reason for which nothing plays: the asset's problem with its remedy, or that this browser can't play
   * it.
   * @param {string} text
   */
  async failed(text) {
    const number = this.#loads;
    this.#spinner.hidden = true;
    const asset = await ask('GET', `assets/${this.asset.token}`).catch(() => this.asset);
    if (number !== this.#loads) return;
    const state = status(asset);
    if (state.kind === 'bad') {
      this.#isTroubled = true;
      replace(this.#message, h('div', { class: 'player-failure', role: 'alert' }, icon('warning'), h('p', {}, [state.word, state.detail].filter(Boolean).join(' · ')), h('div', { class: 'row wrap center' }, mending(asset))));
      return;
    }
    replace(this.#message, h('div', { class: 'player-failure', role: 'alert' }, icon('warning'), h('p', {}, text), this.reason && h('p', { class: 'muted', lang: 'en' }, this.reason), h('p', { class: 'muted' }, t('otherPlayers')),
      button('copy', t('copyAddress'), () => copy(playlistURL(this.asset.token)), { text: true })));
    this.elsewhere.open = true;
  }

  #lines() {
    const url = playlistURL(this.asset.token);
    return ['mpv', 'vlc', 'ffplay'].map((name) => h('div', { class: 'copy-line' }, h('span', { class: 'copy-name' }, name), h('code', {}, `${name} '${url}'`), button('copy', t('copyThis', { name }), () => copy(`${name} '${url}'`))));
  }

  /**
   * Says why the picture waits.
   * @param {string} text
   * @param {HTMLElement[]} [ways] the buttons that mend it
   */
  say(text, ways = []) {
    if (this.#message.dataset.text === text || this.#message.querySelector('.player-failure')) return;
    this.#message.dataset.text = text;
    replace(this.#message, text, ways.length > 0 && h('div', { class: 'row wrap center' }, ways));
  }

  draw() {
    const { video } = this;
    const { duration } = this;
    const shown = this.#isSeeking ? Number(this.#seek.value) : video.currentTime;
    this.#seek.max = String(duration || 1);
    if (!this.#isSeeking) this.#seek.value = String(shown);
    this.#seek.setAttribute('aria-valuetext', t('timeOf', { time: clock(shown), all: clock(duration) }));
    this.#played.style.width = `${100 * Math.min(1, shown / (duration || 1))}%`;
    this.#time.textContent = `${clock(shown)} / ${clock(duration)}`;
    const chapter = chapterAt(this.chapters, shown)?.title ?? '';
    if (this.#chapter.textContent !== chapter) this.#chapter.textContent = chapter;
    this.#set(this.playButton, video.paused ? 'play' : 'pause', t(video.paused ? 'play' : 'pausePlay'));
    this.#set(this.muteButton, video.muted || !video.volume ? 'muted' : 'volume', t(video.muted ? 'unmute' : 'mute'));
    this.volume.value = String(video.muted ? 0 : video.volume);
    this.#set(this.fullButton, document.fullscreenElement ? 'unfull' : 'full', t(document.fullscreenElement ? 'leaveFullScreen' : 'fullScreen'));
    this.subtitleButton.hidden = !this.subtitles.length;
    this.subtitleButton.setAttribute('aria-pressed', String(!!this.cues.chosen[0]));
    const audios = this.audioChoices();
    this.audioButton.hidden = audios.length < 2;
    this.chapterButton.hidden = !this.chapters.length;
    this.nextButton.hidden = !this.#neighbor(1);
    this.qualityButton.hidden = (this.engine?.variants.length ?? 0) < 2;
    if (this.timeline?.live) this.liveButton.classList.toggle('on', duration - shown < 12);
    if ('mediaSession' in navigator && duration > 0 && Number.isFinite(duration)) try { navigator.mediaSession.setPositionState({ duration, playbackRate: video.playbackRate || 1, position: Math.min(duration, video.currentTime) }); } catch { /* times may be odd for a moment */ }
  }

  /**
   * @param {HTMLElement} element
   * @param {string} name
   * @param {string} label
   */
  #set(element, name, label) {
    if (element.title === label) return;
    element.title = label;
    element.setAttribute('aria-label', label);
    element.querySelector('use')?.setAttribute('href', `#i-${name}`);
  }

  /** Draws the stored stretches on the seek bar. */
  drawStretches() {
    const first = this.timeline?.renditions.find((/** @type {any} */ r) => ['variant', 'audio'].includes(r.type) && r.durations.length);
    const track = this.engine?.lane('video')?.track ?? this.engine?.lane('audio')?.track ?? (first && new Track(first));
    if (!track) return;
    const { duration } = this;
    const key = JSON.stringify([track.id, track.rendition.stored, duration]);
    if (this.#stored.dataset.key === key) return;
    this.#stored.dataset.key = key;
    replace(this.#stored, track.rendition.stored.map((/** @type {number[]} */ run) => {
      const [from, to] = [track.times[run[0] - track.first], track.times[run[1] - track.first + 1]];
      const element = h('span', {});
      element.style.insetInlineStart = `${100 * from / duration}%`;
      element.style.width = `${100 * (to - from) / duration}%`;
      return element;
    }));
  }

  /** Draws the starts of chapters on the seek bar. */
  drawMarks() {
    replace(this.#marks, this.chapters.filter((chapter) => chapter.start > 0.5 && chapter.start < this.duration).map((chapter) => {
      const mark = h('span', {});
      mark.style.insetInlineStart = `${100 * chapter.start / this.duration}%`;
      return mark;
    }));
  }

  // One after the other

  /** @param {1 | -1} way */
  #neighbor(way) {
    const row = listed(location.hash);
    const at = row.indexOf(this.asset?.token);
    return at < 0 ? null : row[at + way] ?? null;
  }

  /**
   * Plays the next or the previous asset of the row.
   * @param {1 | -1} way
   */
  async go(way) {
    const token = this.#neighbor(way);
    if (!token) return;
    history.pushState(null, '', `${ROOT}watch/${token}${location.hash.replace(/&t=[0-9.]+/, '')}`);
    await this.load(token);
    this.video.play().catch(() => { /* the browser wants a click first */ });
  }

  /** Starts the next asset of the row by itself, unless the user has turned that off. */
  #offerNext() {
    const token = this.#neighbor(1);
    if (!token) return;
    let left = BREAK;
    const count = h('span', { class: 'muted' }, t('beginsIn', { n: left }));
    const now = button('play', t('playNow'), () => this.go(1), { text: true, class: 'button primary' });
    replace(this.#next, h('p', {}, t('nextIs')), h('strong', {}, nameOf(token)), count, h('div', { class: 'row' }, now, button('', t('cancel'), () => this.#dropNext(), { text: true })));
    this.#next.hidden = false;
    this.player.classList.remove('idle');
    now.focus();
    announce(`${t('nextIs')} ${nameOf(token)}`);
    this.#nextTimer = setInterval(() => { left -= 1; count.textContent = t('beginsIn', { n: left }); if (left <= 0) this.go(1); }, 1000);
  }

  #nextTimer = 0;

  #dropNext() {
    clearInterval(this.#nextTimer);
    if (this.#next.contains(document.activeElement)) this.playButton.focus({ preventScroll: true });
    this.#next.hidden = true;
  }

  /** The list of the row's assets, to choose from. */
  drawRow() {
    const row = listed(location.hash);
    const at = row.indexOf(this.asset?.token);
    this.#row.hidden = at < 0 || row.length < 2;
    const key = this.#row.hidden ? '' : JSON.stringify([row, at, row.map(nameOf)]);
    if (this.#row.dataset.key === key) return;
    this.#row.dataset.key = key;
    replace(this.#row, h('h2', {}, t('rowOf', { n: at + 1, all: row.length })), h('ol', { class: 'row-list' }, row.map((token, index) => h('li', {}, h('a', {
      href: `${ROOT}watch/${token}${location.hash}`, 'aria-current': index === at ? 'true' : null,
      onclick: (/** @type {MouseEvent} */ event) => { if (event.ctrlKey || event.metaKey || event.shiftKey) return; event.preventDefault(); this.go(/** @type {any} */ (index - at)); },
    }, icon(index === at ? 'play' : 'blank'), h('span', {}, nameOf(token)))))));
    this.draw();
  }

  // Actions of the viewer

  toggle() { if (this.video.paused) this.video.play().catch((/** @type {any} */ error) => { if (error.name !== 'AbortError') tell(error.message); }); else this.video.pause(); }

  /** @param {number} seconds */
  skip(seconds) {
    this.video.currentTime = Math.max(0, Math.min(this.duration - 0.1, this.video.currentTime + seconds));
    this.flash(`${seconds > 0 ? '+' : '−'}${Math.abs(seconds)} s · ${clock(this.video.currentTime)}`);
  }

  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (this.player.requestFullscreen) this.player.requestFullscreen();
    else this.video.webkitEnterFullscreen?.();
  }

  async pip() {
    try { if (document.pictureInPictureElement) await document.exitPictureInPicture(); else await this.video.requestPictureInPicture(); } catch (error) { tell(error); }
  }

  audioChoices() {
    if (this.engine) return this.engine.audios;
    return [];
  }

  audioMenu() {
    const now = this.engine?.playing.audio?.id;
    menu(this.audioButton, this.audioChoices().map((track) => ({
      label: [track.language && languageName(track.language), track.name].filter((name, index, all) => name && all.indexOf(name) === index).join(' – ') || track.id, checked: track.id === now,
      action: () => { this.engine?.chooseAudio(track.id); keep('audio', track.language); },
    })));
  }

  qualityMenu() {
    const { engine } = this;
    if (!engine) return;
    const now = engine.playing.variant?.id;
    menu(this.qualityButton, [{ label: t('automatic'), checked: engine.isAutomatic, action: () => engine.choose(null) }, ...engine.variants.map((variant) => ({
      label: [variant.resolution ? `${variant.resolution.split('x')[1]}p` : null, variant.bandwidth ? bitrate(variant.bandwidth) : null].filter(Boolean).join(' · '),
      checked: !engine.isAutomatic && variant.id === now, action: () => engine.choose(variant.id),
    }))]);
  }

  chapterMenu() {
    const now = chapterAt(this.chapters, this.video.currentTime);
    menu(this.chapterButton, this.chapters.map((chapter) => ({ label: `${clock(chapter.start)}  ${chapter.title}`, checked: chapter === now, action: () => { this.video.currentTime = chapter.start + 0.001; } })));
  }

  /** @param {1 | -1} way */
  chapter(way) {
    const time = this.video.currentTime;
    const to = way > 0 ? this.chapters.find((item) => item.start > time + 0.5) : this.chapters.filter((item) => item.start < time - 3).at(-1) ?? this.chapters[0];
    if (!to) return;
    this.video.currentTime = to.start + 0.001;
    this.flash(to.title);
  }

  /** @param {number} seconds */
  delay(seconds) {
    this.cues.style.delay = Math.round((this.cues.style.delay + seconds) * 10) / 10;
    this.cues.draw();
    this.flash(t('delayIs', { n: this.cues.style.delay }));
  }

  speedMenu() {
    menu(this.speedButton, RATES.map((rate) => ({ label: rate === 1 ? t('normal') : `${rate}×`, checked: this.video.playbackRate === rate, action: () => { this.video.playbackRate = rate; } })));
  }

  /** @param {any} entry */
  #name(entry) { return [languageName(entry.language) || entry.title || entry.id, entry.forced && t('forced'), entry.sdh && t('sdh')].filter(Boolean).join(' – '); }

  subtitleMenu() {
    const first = this.cues.chosen[0];
    menu(this.subtitleButton, [
      { label: t('off'), checked: !first, action: () => { this.cues.choose(null); this.cues.choose(null, 1); keep('subtitles', null); } },
      ...this.subtitles.map((entry) => ({ label: this.#name(entry), checked: entry === first, action: () => { this.cues.choose(entry); if (entry.language) keep('subtitles', entry.language); } })),
      null,
      { label: t('cueStyle'), checked: false, action: () => this.styleDialog() },
      { label: t(this.#transcript.hidden ? 'showTranscript' : 'hideTranscript'), checked: false, action: () => { this.#transcript.hidden = !this.#transcript.hidden; if (!first && this.subtitles[0]) this.cues.choose(this.subtitles[0]); this.drawTranscript(); this.#transcript.querySelector('input')?.focus(); } },
    ]);
  }

  styleDialog() {
    const { cues } = this;
    const sample = h('div', { class: 'cue-sample', 'aria-hidden': 'true' }, h('span', { class: 'cue' }, t('cueSample')));
    const show = () => { for (const name of ['background', 'color']) sample.dataset[name] = Reflect.get(cues.style, name); sample.style.setProperty('--cue-size', String(cues.style.size)); };
    const set = (/** @type {string} */ name, /** @type {any} */ value) => { Reflect.set(cues.style, name, value); cues.save(); show(); };
    show();
    const select = (/** @type {string} */ name, /** @type {string[]} */ options) => {
      const control = h('select', { onchange: () => set(name, control.value) }, options.map((option) => h('option', { value: option }, t(`cue_${option}`))));
      control.value = Reflect.get(cues.style, name);
      return control;
    };
    const range = (/** @type {string} */ name, /** @type {any} */ limits) => {
      const control = h('input', { type: 'range', ...limits, value: Reflect.get(cues.style, name), oninput: () => set(name, Number(control.value)) });
      return control;
    };
    const second = h('select', { onchange: () => cues.choose(this.subtitles.find((entry) => entry.id === second.value) ?? null, 1) }, h('option', { value: '' }, t('off')), this.subtitles.map((entry) => h('option', { value: entry.id }, this.#name(entry))));
    second.value = cues.chosen[1]?.id ?? '';
    const delay = h('input', { type: 'number', step: 0.1, value: cues.style.delay, oninput: () => { cues.style.delay = Number(delay.value) || 0; cues.draw(); } });
    dialog(t('cueStyle'), (close) => [sample, h('div', { class: 'columns' },
      field(t('cueSize'), range('size', { min: 0.6, max: 2.2, step: 0.1 })), field(t('cueEdge'), range('edge', { min: 2, max: 40, step: 1 })),
      field(t('cueColor'), select('color', ['white', 'yellow', 'green', 'cyan', 'black'])), field(t('cueBackground'), select('background', ['shade', 'box', 'light', 'outline'])),
      field(t('cuePosition'), select('position', ['bottom', 'top'])), field(t('cueDelay'), delay, t('cueDelayHint')),
      field(t('secondTrack'), second), field(t('cuePaint'), select('paint', ['own', 'mine']), t('cuePaintHint'))),
    h('div', { class: 'dialog-foot' }, button('', t('reset'), () => { Object.assign(cues.style, USUAL); cues.save(); close(); this.styleDialog(); }, { text: true }))], { class: 'cue-dialog' });
  }

  /** Shows all cues as text, with a search. */
  drawTranscript() {
    if (this.#transcript.hidden) return;
    const filter = this.#transcript.querySelector('input')?.value ?? '';
    const list = h('ul', { class: 'cue-list' });
    const fillList = (/** @type {string} */ needle) => replace(list, this.cues.cues.filter((cue) => !needle || cue.text.toLocaleLowerCase().includes(needle.toLocaleLowerCase())).slice(0, 1000).map((cue) => h('li', {}, h('button', { type: 'button', onclick: () => { this.video.currentTime = cue.startTime + 0.01; } },
      h('span', { class: 'time' }, clock(cue.startTime)), h('span', { class: 'grow' }, marked(cue.getCueAsHTML().textContent ?? '', needle || '\u0000'))))));
    const search = h('input', { type: 'search', value: filter, class: 'wide', 'aria-label': t('searchTranscript'), placeholder: t('searchTranscript'), oninput: () => fillList(search.value) });
    replace(this.#transcript, h('h2', {}, t('transcript')), search, list);
    fillList(filter);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === '?' && !target.matches('input[type=search], textarea')) { this.sheet(); event.preventDefault(); return; }
    const isRange = target.matches('input[type=range]');
    if (!kept('keys', true) && !(isRange && target === this.#seek)) return;
    if (target.matches('input:not([type=range]), textarea, select') || target.closest('.menu')) return;
    if ([' ', 'Enter'].includes(event.key) && target.matches('button, a, summary')) return;
    if (isRange && target !== this.#seek && event.key.startsWith('Arrow')) return;
    const action = this.actions[event.key] ?? (/^[0-9]$/.test(event.key) ? () => { this.video.currentTime = this.duration * Number(event.key) / 10; } : null);
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @type {Record<string, () => void>} */
  actions = {
    ' ': () => this.toggle(), k: () => this.toggle(),
    j: () => this.skip(-10), l: () => this.skip(10),
    ArrowLeft: () => this.skip(-5), ArrowRight: () => this.skip(5),
    ArrowUp: () => this.louder(0.05), ArrowDown: () => this.louder(-0.05),
    m: () => { this.video.muted = !this.video.muted; }, f: () => this.full(), i: () => this.pip(),
    c: () => { const next = this.cues.chosen[0] ? null : this.subtitles.find((entry) => entry.language === kept('subtitles', '')) ?? this.subtitles[0] ?? null; this.cues.choose(next); this.flash(next ? this.#name(next) : t('off')); },
    Home: () => { this.video.currentTime = 0; }, End: () => { this.video.currentTime = Math.max(0, this.duration - 0.1); },
    '<': () => this.faster(-1), '>': () => this.faster(1),
    ',': () => this.step(-1), '.': () => this.step(1), '[': () => this.chapter(-1), ']': () => this.chapter(1),
    g: () => this.delay(-0.1), h: () => this.delay(0.1), N: () => { this.go(1); }, P: () => { this.go(-1); },
    s: () => { this.#figures.hidden = !this.#figures.hidden; this.drawFigures(); },
  };

  /** @param {number} step */
  louder(step) { this.video.muted = false; this.video.volume = Math.min(1, Math.max(0, this.video.volume + step)); keep('volume', this.video.volume); this.flash(t('volumeIs', { n: Math.round(this.video.volume * 100) })); }

  /** @param {number} step */
  faster(step) {
    const at = RATES.indexOf(this.video.playbackRate);
    this.video.playbackRate = RATES[Math.min(RATES.length - 1, Math.max(0, (at < 0 ? RATES.indexOf(1) : at) + step))];
    this.flash(`${this.video.playbackRate}×`);
  }

  sheet() {
    const rows = [[t('k_space'), 'k'], ['j / l', 'jl'], ['← / →', 'arrows'], ['↑ / ↓', 'volume'], ['m', 'm'], ['f', 'f'], ['i', 'i'], ['c', 'c'], ['< / >', 'speed'], [', / .', 'frame'], ['[ / ]', 'chapters'], ['g / h', 'delay'], [t('k_shift'), 'row'], ['0–9', 'digits'], [t('k_home'), 'home'], ['s', 's'], ['?', 'sheet']];
    dialog(t('keysSheet'), () => [h('table', { class: 'keys' }, h('tbody', {}, rows.map(([key, name]) => h('tr', {}, h('th', { scope: 'row' }, h('kbd', {}, key)), h('td', {}, t(`key_${name}`)))))), h('p', { class: 'muted' }, t('keysOff'))], { class: 'narrow' });
  }

  drawFigures() {
    const found = this.engine?.statistics;
    const { video } = this;
    const quality = video.getVideoPlaybackQuality?.();
    const pairs = [[t('fig_way'), { mse: 'Media Source', hls: 'HLS', mp4: 'MP4', none: '–' }[this.way] ?? ''], [t('fig_picture'), `${video.videoWidth} × ${video.videoHeight}`],
      [t('fig_frames'), t('fig_framesOf', { dropped: quality?.droppedVideoFrames ?? 0, all: quality?.totalVideoFrames ?? 0 })],
      ...(found ? [[t('fig_track'), `${found.variant} + ${found.audio}`], [t('fig_codecs'), found.type], [t('fig_line'), bitrate(found.throughput)], [t('fig_ahead'), `${found.ahead.toFixed(1)} s`]] : []), ...(this.reason ? [[t('fig_reason'), this.reason]] : [])];
    replace(this.#figures, h('dl', {}, pairs.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))));
  }

  /**
   * Tells the server how far it was watched.
   * @param {boolean} [isLast]
   */
  remember(isLast = false) {
    const at = this.video.currentTime;
    if (!this.asset || !this.video.readyState || this.timeline?.live || at < 1 && this.#sent < 0) return;
    if (!isLast && Math.abs(at - this.#sent) < 10 || at === this.#sent) return;
    this.#sent = at;
    ask('PUT', `assets/${this.asset.token}/position`, { position: at }, { keepalive: true }).catch(() => {});
  }

  #session() {
    if (!('mediaSession' in navigator) || !('MediaMetadata' in window)) return;
    navigator.mediaSession.metadata = new MediaMetadata({ title: this.asset.name, artwork: this.asset.poster ? [{ src: `${ROOT}assets/${this.asset.token}/poster` }] : [] });
    const handlers = /** @type {[MediaSessionAction, ((details: any) => void) | null][]} */ ([['play', () => this.video.play()], ['pause', () => this.video.pause()], ['seekbackward', (d) => this.skip(-(d.seekOffset ?? 10))], ['seekforward', (d) => this.skip(d.seekOffset ?? 10)], ['seekto', (d) => { this.video.currentTime = d.seekTime; }],
      ['nexttrack', this.#neighbor(1) ? () => this.go(1) : null], ['previoustrack', this.#neighbor(-1) ? () => this.go(-1) : null]]);
    for (const [name, handler] of handlers) try { navigator.mediaSession.setActionHandler(name, handler); } catch { /* older browsers know fewer */ }
  }
}
