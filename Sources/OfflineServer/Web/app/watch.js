// @ts-check
/** The page with the player. */

import { ask, keep, kept, playlistURL } from './api.js';
import { announce, button, copy, dialog, empty, field, h, icon, menu, replace, ROOT, tell } from './dom.js';
import { CueLayer } from './cues.js';
import { Engine, fragment, Track } from './engine.js';
import { marked } from './library.js';
import { mending, status } from './status.js';
import { bitrate, bytes, clock, languageName, t } from './texts.js';

const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

/**
 * The page of one asset.
 * @param {HTMLElement} main
 */
export async function watch(main) {
  const token = location.pathname.split('/').pop() ?? '';
  const before = main.querySelector('video');
  before?.pause();
  before?.removeAttribute('src');
  try {
    const asset = await ask('GET', `assets/${token}`);
    const page = new WatchPage(asset);
    Reflect.set(window, 'watchPage', page);
    await page.show(main);
  } catch (error) {
    replace(main, empty('warning', t('noAsset'), /** @type {Error} */ (error).message, h('a', { class: 'button', href: ROOT }, t('toLibrary'))));
  }
}

class WatchPage {
  video = h('video', { playsinline: true, preload: 'auto', 'aria-label': t('video'), tabindex: -1 });
  /** @type {Engine | null} */
  engine = null;
  /** How it is played: mse, hls, mp4, or none. */
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
  #seek = h('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, class: 'seek', 'aria-label': t('seek') });
  #stored = h('div', { class: 'stretches', 'aria-hidden': 'true' });
  #played = h('div', { class: 'played', 'aria-hidden': 'true' });
  #tip = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  #transcript = h('section', { class: 'panel transcript', hidden: true });
  #isSeeking = false;
  #scrub = 0;

  /** @param {any} asset */
  constructor(asset) {
    this.asset = asset;
    this.cues = new CueLayer(this.video, asset.token);
    this.#build();
  }

  get duration() { return this.engine && this.timeline?.live ? this.engine.liveEnd : Number.isFinite(this.video.duration) && this.video.duration > 0 ? this.video.duration : this.asset.duration; }

  #build() {
    const make = (/** @type {string} */ name, /** @type {string} */ label, /** @type {(event: any) => void} */ action, /** @type {any} */ more = {}) => button(name, label, action, { class: 'control', ...more });
    this.playButton = make('play', t('play'), () => this.toggle(), { 'aria-keyshortcuts': 'k' });
    this.muteButton = make('volume', t('mute'), () => { this.video.muted = !this.video.muted; }, { 'aria-keyshortcuts': 'm' });
    this.volume = h('input', { type: 'range', min: 0, max: 1, step: 0.05, value: kept('volume', 1), class: 'volume', 'aria-label': t('volume'), oninput: () => { this.video.muted = false; this.video.volume = Number(this.volume.value); keep('volume', this.video.volume); } });
    this.liveButton = h('button', { type: 'button', class: 'control live', hidden: true, onclick: () => { this.video.currentTime = Math.max(0, this.duration - 6); } }, t('live'));
    this.subtitleButton = make('subtitles', t('subtitles'), () => this.subtitleMenu(), { 'aria-keyshortcuts': 'c' });
    this.audioButton = make('audio', t('audio'), () => this.audioMenu());
    this.qualityButton = make('quality', t('quality'), () => this.qualityMenu());
    this.speedButton = make('speed', t('playSpeed'), () => this.speedMenu());
    this.pipButton = document.pictureInPictureEnabled && make('pip', t('pip'), () => this.pip(), { 'aria-keyshortcuts': 'i' });
    this.fullButton = make('full', t('fullScreen'), () => this.full(), { 'aria-keyshortcuts': 'f' });
    this.player = h('div', { class: 'player', tabindex: -1 }, this.video, this.cues.element, this.#spinner, this.#message, this.#figures,
      h('div', { class: 'controls' },
        h('div', { class: 'seek-box' }, this.#stored, this.#played, this.#seek, this.#tip),
        h('div', { class: 'buttons' }, this.playButton, make('back10', t('back10'), () => this.skip(-10), { 'aria-keyshortcuts': 'j' }), make('forward10', t('forward10'), () => this.skip(10), { 'aria-keyshortcuts': 'l' }),
          this.muteButton, this.volume, this.#time, this.liveButton, h('span', { class: 'grow' }),
          this.subtitleButton, this.audioButton, this.qualityButton, this.speedButton, this.pipButton || null, make('keys', t('keysSheet'), () => this.sheet(), { 'aria-keyshortcuts': '?' }), this.fullButton)));
    this.video.volume = Math.min(1, Math.max(0, kept('volume', 1)));
    this.#listen();
  }

  #listen() {
    const { video, player } = this;
    for (const name of ['play', 'pause', 'timeupdate', 'durationchange', 'seeked', 'volumechange', 'ratechange', 'progress', 'ended']) video.addEventListener(name, () => this.draw());
    video.addEventListener('waiting', () => { this.#spinner.hidden = false; });
    for (const name of ['playing', 'canplay', 'seeked', 'pause']) video.addEventListener(name, () => { if (video.readyState > 2) { this.#spinner.hidden = true; this.say(''); } });
    video.addEventListener('timeupdate', () => this.remember());
    video.addEventListener('pause', () => this.remember(true));
    video.addEventListener('ended', () => this.remember(true));
    video.addEventListener('error', () => this.failed(video.error?.message || t('cannotPlay')));
    video.addEventListener('click', () => this.toggle());
    video.addEventListener('dblclick', () => this.full());
    addEventListener('pagehide', () => this.remember(true));
    this.#seek.addEventListener('input', () => { this.#isSeeking = true; clearTimeout(this.#scrub); this.#scrub = setTimeout(() => { video.currentTime = Number(this.#seek.value); }, 120); this.draw(); });
    this.#seek.addEventListener('change', () => { clearTimeout(this.#scrub); this.#isSeeking = false; video.currentTime = Number(this.#seek.value); });
    this.#seek.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => { if (['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.key)) event.preventDefault(); });
    this.#seek.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => this.#hint(event));
    this.#seek.addEventListener('pointerleave', () => { this.#tip.hidden = true; });
    const wake = () => { player.classList.remove('idle'); clearTimeout(this.#hideTimer); this.#hideTimer = setTimeout(() => { if (!video.paused && !document.querySelector('.menu') && !player.querySelector('.controls :focus-visible')) player.classList.add('idle'); }, 2800); };
    for (const name of ['pointermove', 'pointerdown', 'keydown', 'focusin']) player.addEventListener(name, wake);
    video.addEventListener('play', wake);
    video.addEventListener('pause', () => player.classList.remove('idle'));
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('fullscreenchange', () => this.draw());
    this.#gestures();
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

  /** @param {PointerEvent} event */
  #hint(event) {
    const box = this.#seek.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    this.#tip.hidden = false;
    this.#tip.textContent = clock(share * this.duration);
    this.#tip.style.insetInlineStart = `${Math.min(97, Math.max(3, share * 100))}%`;
  }

  /** @param {HTMLElement} main */
  async show(main) {
    const { asset } = this;
    document.title = `${asset.name} – offline-server`;
    const state = status(asset);
    this.about = h('div', { class: 'about' },
      h('div', { class: 'row' }, h('h1', { class: 'grow' }, asset.name), h('a', { class: 'button', href: `${ROOT}#asset/${asset.token}` }, icon('info'), h('span', {}, t('details')))),
      h('p', { class: 'muted' }, [clock(asset.duration), bytes(asset.bytes.stored), asset.tags.join(', ')].filter(Boolean).join(' · ')),
      state.kind !== 'good' && h('div', { class: `note ${state.kind}` }, icon(state.kind === 'busy' ? 'download' : 'warning'), h('div', { class: 'grow' }, h('p', {}, [state.word, state.detail].filter(Boolean).join(' · ')), asset.problems.slice(0, 3).map((/** @type {any} */ problem) => h('p', { class: 'muted' }, problem.detail)), h('div', { class: 'row wrap' }, mending(asset)))));
    this.elsewhere = h('details', { class: 'panel' }, h('summary', {}, t('elsewhere')), this.#lines());
    replace(main, h('nav', { class: 'crumbs', 'aria-label': t('breadcrumbs') }, h('a', { href: ROOT }, icon('back'), h('span', {}, t('library')))), this.player, this.about, this.#transcript, this.elsewhere);
    const timeline = await this.#resolved();
    const [subtitles, position] = await Promise.all([
      fetch(`${ROOT}assets/${asset.token}/subtitles`).then((response) => (response.ok ? response.json() : { subtitles: [] })).catch(() => ({ subtitles: [] })),
      ask('GET', `assets/${asset.token}/position`).catch(() => ({ position: null, watched: false })),
    ]);
    [this.timeline, this.subtitles] = [timeline, subtitles.subtitles];
    await this.begin(this.#startPoint(position));
    const wanted = kept('subtitles', '');
    const own = this.subtitles.find((entry) => wanted && entry.language?.split('-')[0] === wanted.split('-')[0] && !entry.forced) ?? this.subtitles.find((entry) => entry.forced);
    if (own) this.cues.choose(own);
    this.cues.addEventListener('cues', () => this.drawTranscript());
    this.#session();
    this.draw();
    this.drawStretches();
    if (!this.engine && this.timeline && !this.timeline.complete) setInterval(() => ask('GET', `assets/${asset.token}/timeline`).then((found) => { this.timeline = found; this.drawStretches(); }).catch(() => {}), 5000);
    this.playButton.focus({ preventScroll: true });
    setInterval(() => { if (!this.#figures.hidden) this.drawFigures(); }, 500);
  }

  /** The timeline, as soon as the stream's playlists have been read; `null` for one that can't be. */
  async #resolved() {
    for (;;) {
      const timeline = await ask('GET', `assets/${this.asset.token}/timeline`).catch(() => null);
      if (!timeline || timeline.renditions.some((/** @type {any} */ r) => r.durations.length)) { this.say(''); return timeline; }
      if (['failed', 'cancelled', 'paused'].includes(this.asset.state)) return null;
      this.say(status(this.asset).word);
      await new Promise((done) => setTimeout(done, 700));
      this.asset = await ask('GET', `assets/${this.asset.token}`).catch(() => this.asset);
    }
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
    if (this.timeline) await fragment(this.timeline).catch(() => {});
    if (this.timeline && Engine.plays(this.timeline)) {
      try { await this.useEngine(at); return; } catch (error) { this.engine?.stop(); this.engine = null; this.reason = /** @type {Error} */ (error).message; }
    }
    await this.fallBack(at);
  }

  /** @param {number} at */
  async useEngine(at) {
    this.engine = new Engine(this.video, this.timeline);
    this.engine.addEventListener('append', () => this.drawStretches());
    this.engine.addEventListener('timeline', () => { this.timeline = this.engine?.timeline; this.drawStretches(); this.draw(); });
    this.engine.addEventListener('track', () => this.draw());
    this.engine.addEventListener('wait', (/** @type {any} */ event) => { this.#spinner.hidden = false; this.say(event.detail.message === 'network' ? t('unreachable') : event.detail.message); });
    this.engine.addEventListener('failure', (/** @type {any} */ event) => this.engineFailed(event.detail));
    await this.engine.start(at, { audio: kept('audio', '') });
    this.way = 'mse';
    if (this.timeline.live) this.liveButton.hidden = false;
    this.drawStretches();
  }

  /** @param {any} error */
  engineFailed(error) {
    const at = this.video.currentTime;
    this.engine = null;
    if (error.status === 403) { this.failed(error.message); return; }
    this.reason = error.message;
    this.fallBack(at);
  }

  /**
   * HLS by the browser itself, then a whole MP4, then other players.
   * @param {number} at
   */
  async fallBack(at) {
    const base = `${ROOT}assets/${this.asset.token}/`;
    const encrypted = this.asset.license?.state !== 'none';
    const begin = (/** @type {string} */ url) => { this.video.src = url; if (at > 0) this.video.addEventListener('loadedmetadata', () => { this.video.currentTime = at; }, { once: true }); };
    if (this.video.canPlayType('application/vnd.apple.mpegurl')) {
      this.way = 'hls';
      begin(`${base}master.m3u8${encrypted ? '?decrypt=1' : ''}`);
      return;
    }
    const whole = await fetch(`${base}video.mp4`, { method: 'HEAD' }).catch(() => null);
    if (whole?.ok) { this.way = 'mp4'; begin(`${base}video.mp4`); return; }
    this.way = 'none';
    this.failed(t('cannotPlay'));
  }

  /** @param {string} text */
  failed(text) {
    this.#spinner.hidden = true;
    replace(this.#message, h('div', { class: 'player-failure', role: 'alert' }, icon('warning'), h('p', {}, text), h('p', { class: 'muted' }, t('otherPlayers')),
      button('copy', t('copyAddress'), () => copy(playlistURL(this.asset.token)), { text: true })));
    this.elsewhere.open = true;
  }

  #lines() {
    const url = playlistURL(this.asset.token);
    return ['mpv', 'vlc', 'ffplay'].map((name) => h('div', { class: 'copy-line' }, h('span', { class: 'copy-name' }, name), h('code', {}, `${name} '${url}'`), button('copy', t('copyThis', { name }), () => copy(`${name} '${url}'`))));
  }

  /** @param {string} text */
  say(text) { if (this.#message.textContent !== text && !this.#message.querySelector('.player-failure')) this.#message.textContent = text; }

  draw() {
    const { video } = this;
    const { duration } = this;
    const shown = this.#isSeeking ? Number(this.#seek.value) : video.currentTime;
    this.#seek.max = String(duration || 1);
    if (!this.#isSeeking) this.#seek.value = String(shown);
    this.#seek.setAttribute('aria-valuetext', t('timeOf', { time: clock(shown), all: clock(duration) }));
    this.#played.style.width = `${100 * Math.min(1, shown / (duration || 1))}%`;
    this.#time.textContent = `${clock(shown)} / ${clock(duration)}`;
    this.#set(this.playButton, video.paused ? 'play' : 'pause', t(video.paused ? 'play' : 'pausePlay'));
    this.#set(this.muteButton, video.muted || !video.volume ? 'muted' : 'volume', t(video.muted ? 'unmute' : 'mute'));
    this.volume.value = String(video.muted ? 0 : video.volume);
    this.#set(this.fullButton, document.fullscreenElement ? 'unfull' : 'full', t(document.fullscreenElement ? 'leaveFullScreen' : 'fullScreen'));
    this.subtitleButton.hidden = !this.subtitles.length;
    this.subtitleButton.setAttribute('aria-pressed', String(!!this.cues.chosen[0]));
    const audios = this.audioChoices();
    this.audioButton.hidden = audios.length < 2;
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
    element.querySelector('use')?.setAttribute('href', `${ROOT}app/icons.svg#${name}`);
  }

  /** What is stored of what plays, on the seek bar. */
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

  // What viewers do

  toggle() { if (this.video.paused) this.video.play().catch((/** @type {any} */ error) => { if (error.name !== 'AbortError') tell(error.message); }); else this.video.pause(); }

  /** @param {number} seconds */
  skip(seconds) {
    this.video.currentTime = Math.max(0, Math.min(this.duration - 0.1, this.video.currentTime + seconds));
    announce(clock(this.video.currentTime));
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
    const save = () => { keep('cues', { size: cues.style.size, position: cues.style.position, background: cues.style.background }); cues.draw(); };
    const second = h('select', { onchange: () => cues.choose(this.subtitles.find((entry) => entry.id === second.value) ?? null, 1) }, h('option', { value: '' }, t('off')), this.subtitles.map((entry) => h('option', { value: entry.id }, this.#name(entry))));
    second.value = cues.chosen[1]?.id ?? '';
    const size = h('input', { type: 'range', min: 0.6, max: 2.2, step: 0.1, value: cues.style.size, oninput: () => { cues.style.size = Number(size.value); save(); } });
    const position = h('select', { onchange: () => { cues.style.position = position.value; save(); } }, ['bottom', 'top'].map((name) => h('option', { value: name }, t(`cue_${name}`))));
    position.value = cues.style.position;
    const background = h('select', { onchange: () => { cues.style.background = background.value; save(); } }, ['shade', 'box', 'outline'].map((name) => h('option', { value: name }, t(`cue_${name}`))));
    background.value = cues.style.background;
    const delay = h('input', { type: 'number', step: 0.1, value: cues.style.delay, oninput: () => { cues.style.delay = Number(delay.value) || 0; cues.draw(); } });
    dialog(t('cueStyle'), () => [field(t('cueSize'), size), field(t('cuePosition'), position), field(t('cueBackground'), background), field(t('cueDelay'), delay, t('cueDelayHint')), field(t('secondTrack'), second)], { class: 'narrow' });
  }

  /** All that is said, to read and to search. */
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
    c: () => { const next = this.cues.chosen[0] ? null : this.subtitles.find((entry) => entry.language === kept('subtitles', '')) ?? this.subtitles[0] ?? null; this.cues.choose(next); announce(next ? this.#name(next) : t('off')); },
    Home: () => { this.video.currentTime = 0; }, End: () => { this.video.currentTime = Math.max(0, this.duration - 0.1); },
    '<': () => this.faster(-1), '>': () => this.faster(1),
    ',': () => { this.video.pause(); this.video.currentTime -= 1 / 25; }, '.': () => { this.video.pause(); this.video.currentTime += 1 / 25; },
    s: () => { this.#figures.hidden = !this.#figures.hidden; this.drawFigures(); },
  };

  /** @param {number} step */
  louder(step) { this.video.muted = false; this.video.volume = Math.min(1, Math.max(0, this.video.volume + step)); keep('volume', this.video.volume); announce(t('volumeIs', { n: Math.round(this.video.volume * 100) })); }

  /** @param {number} step */
  faster(step) {
    const at = RATES.indexOf(this.video.playbackRate);
    this.video.playbackRate = RATES[Math.min(RATES.length - 1, Math.max(0, (at < 0 ? 2 : at) + step))];
    announce(`${this.video.playbackRate}×`);
  }

  sheet() {
    const rows = [[t('k_space'), 'k'], ['j / l', 'jl'], ['← / →', 'arrows'], ['↑ / ↓', 'volume'], ['m', 'm'], ['f', 'f'], ['i', 'i'], ['c', 'c'], ['< / >', 'speed'], [', / .', 'frame'], ['0–9', 'digits'], [t('k_home'), 'home'], ['s', 's'], ['?', 'sheet']];
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
    if (!this.video.readyState || this.timeline?.live || at < 1 && this.#sent < 0) return;
    if (!isLast && Math.abs(at - this.#sent) < 10 || at === this.#sent) return;
    this.#sent = at;
    ask('PUT', `assets/${this.asset.token}/position`, { position: at }, { keepalive: true }).catch(() => {});
  }

  #session() {
    if (!('mediaSession' in navigator) || !('MediaMetadata' in window)) return;
    navigator.mediaSession.metadata = new MediaMetadata({ title: this.asset.name, artwork: this.asset.poster ? [{ src: `${ROOT}assets/${this.asset.token}/poster` }] : [] });
    const handlers = /** @type {[MediaSessionAction, (details: any) => void][]} */ ([['play', () => this.video.play()], ['pause', () => this.video.pause()], ['seekbackward', (d) => this.skip(-(d.seekOffset ?? 10))], ['seekforward', (d) => this.skip(d.seekOffset ?? 10)], ['seekto', (d) => { this.video.currentTime = d.seekTime; }]]);
    for (const [name, handler] of handlers) try { navigator.mediaSession.setActionHandler(name, handler); } catch { /* older browsers know fewer */ }
  }
}
