// @ts-check
/**
 * Subtitles over the picture, two tracks at once: read by the browser's own WebVTT parser and painted by the page in the
 * viewer's style, or, where a track has a style of its own, painted by the server.
 */

import { keep, kept } from './api.js';
import { h, replace, ROOT } from './dom.js';

/** How subtitles look unless the viewer wants it otherwise. */
export const USUAL = { size: 1, position: 'bottom', edge: 5, delay: 0, background: 'shade', color: 'white', paint: 'own' };

/** One track of subtitles, with all its cues. */
class CueTrack {
  /** @type {VTTCue[]} by their beginnings */
  cues = [];
  /** Whether the track has styles of its own. */
  isStyled = false;
  /** @type {number[]} the times at which visible cues change */
  edges = [];
  #element = h('track', { kind: 'metadata' });

  /**
   * @param {HTMLVideoElement} video
   * @param {string} url
   * @param {() => void} changed
   */
  constructor(video, url, changed) {
    this.#element.src = url;
    video.append(this.#element);
    this.#element.track.mode = 'hidden';
    this.#element.addEventListener('load', async () => {
      this.cues = [...(this.#element.track.cues ?? [])].sort((a, b) => a.startTime - b.startTime);
      this.edges = [...new Set(this.cues.flatMap((cue) => [cue.startTime, cue.endTime]))].sort((a, b) => a - b);
      this.isStyled = /^(STYLE|REGION)\s*$/m.test(await fetch(url).then((reply) => (reply.ok ? reply.text() : '')).catch(() => ''));
      changed();
    });
  }

  /** @param {number} time */
  active(time) {
    const found = [];
    let [low, high] = [0, this.cues.length];
    while (low < high) { const middle = (low + high) >> 1; if (this.cues[middle].startTime <= time) low = middle + 1; else high = middle; }
    for (let index = low - 1; index >= 0 && index > low - 200; index -= 1) if (this.cues[index].endTime > time) found.unshift(this.cues[index]);
    return found;
  }

  remove() { this.#element.remove(); }
}

/** Paints the subtitles of the present moment. */
export class CueLayer extends EventTarget {
  element = h('div', { class: 'cue-layer', lang: '' });
  /** @type {(CueTrack | null)[]} the first and the second track */
  #tracks = [null, null];
  /** @type {any[]} the chosen entries of the asset's list of subtitles */
  chosen = [null, null];
  #shown = '';
  #timer = 0;
  /** @type {Map<string, any>} */
  #renewals = new Map();
  /** The picture that the server paints. */
  #picture = h('img', { class: 'cue-picture', alt: '', hidden: true });
  #isUnpainted = false;
  style = { ...USUAL, ...kept('cues', {}) };

  /**
   * @param {HTMLVideoElement} video
   * @param {string} token
   */
  constructor(video, token) {
    super();
    this.video = video;
    this.token = token;
    const step = () => {
      this.draw();
      this.#timer = requestAnimationFrame(step);
    };
    this.#timer = requestAnimationFrame(step);
  }

  /**
   * Switches to another asset.
   * @param {string} token
   */
  use(token) {
    for (const place of /** @type {(0 | 1)[]} */ ([0, 1])) this.choose(null, place);
    this.token = token;
    this.style.delay = 0;
  }

  /** Keeps the viewer's style, but for the delay, which is the asset's. */
  save() {
    const { delay, ...style } = this.style;
    keep('cues', style);
    this.draw();
  }

  /**
   * Chooses a track, or no track.
   * @param {any} entry of the list of subtitles
   * @param {0 | 1} [place] the first or the second line
   */
  choose(entry, place = 0) {
    this.chosen[place] = entry;
    clearTimeout(this.#renewals.get(String(place)));
    this.#load(entry, place);
    this.#shown = '';
    this.draw();
    this.dispatchEvent(new Event('change'));
  }

  /**
   * @param {any} entry
   * @param {0 | 1} place
   */
  #load(entry, place) {
    const before = this.#tracks[place];
    if (!entry) { before?.remove(); this.#tracks[place] = null; return; }
    const track = new CueTrack(this.video, `${ROOT}assets/${this.token}/subtitles/${encodeURIComponent(entry.id)}.vtt`, () => {
      if (this.#tracks[place] !== track) { this.#tracks[place]?.remove(); this.#tracks[place] = track; }
      this.#shown = '';
      this.dispatchEvent(new Event('cues'));
    });
    // A track that is still being downloaded is read again from time to time.
    if (!entry.complete) this.#renewals.set(String(place), setTimeout(() => { if (this.chosen[place] === entry) this.#load(entry, place); }, 10000));
    before?.remove();
    this.#tracks[place] = track;
  }

  /** All cues of the first track. */
  get cues() { return this.#tracks[0]?.cues ?? []; }

  draw() {
    const time = this.video.currentTime - this.style.delay;
    const active = this.#tracks.map((track) => track?.active(time) ?? []);
    const isPainted = !this.#isUnpainted && this.style.paint === 'own' && !!this.#tracks[0]?.isStyled;
    const key = JSON.stringify([active.map((cues) => cues.map((cue) => `${cue.startTime} ${cue.text}`)), this.style, isPainted, isPainted && [this.element.clientWidth, this.element.clientHeight]]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.element.style.setProperty('--cue-size', String(this.style.size));
    this.element.style.setProperty('--cue-edge', `${this.style.edge}%`);
    for (const name of ['background', 'position', 'color']) this.element.dataset[name] = Reflect.get(this.style, name);
    if (isPainted) this.#paint(time, active.some((cues) => cues.length));
    else replace(this.element, this.#boxes(active));
  }

  /** @param {VTTCue[][]} active */
  #boxes(active) {
    const stacks = /** @type {Record<string, HTMLElement>} */ ({ top: h('div', { class: 'cue-stack top' }), bottom: h('div', { class: 'cue-stack bottom' }) });
    /** @type {HTMLElement[]} */
    const placed = [];
    active.forEach((cues, place) => {
      for (const cue of cues) {
        const box = h('div', { class: `cue${place ? ' second' : ''}`, dir: 'auto' });
        box.append(cue.getCueAsHTML());
        const line = cue.line === 'auto' ? null : Number(cue.line);
        if (place === 1 || line === null || this.style.position === 'top') stacks[place === 1 && this.style.position !== 'top' ? 'top' : this.style.position].append(box);
        else if (cue.snapToLines) stacks[line >= 0 && line < 8 ? 'top' : 'bottom'].append(box);
        else { box.classList.add('placed'); box.style.top = `${Math.min(92, Math.max(0, line))}%`; placed.push(box); }
        if (cue.align !== 'center') box.style.textAlign = cue.align === 'left' || cue.align === 'right' ? cue.align : String(cue.align);
        if (typeof cue.position === 'number' && cue.size < 100) { box.style.alignSelf = cue.position < 35 ? 'flex-start' : cue.position > 65 ? 'flex-end' : 'center'; }
      }
    });
    return [stacks.top, stacks.bottom, ...placed];
  }

  /**
   * Shows the server's picture of a moment over the video's picture, and has the next one at hand.
   * @param {number} time
   * @param {boolean} isSaid
   */
  #paint(time, isSaid) {
    const { video, element } = this;
    const scale = Math.min(element.clientWidth / (video.videoWidth || 16), element.clientHeight / (video.videoHeight || 9));
    const [width, height] = [(video.videoWidth || 16) * scale, (video.videoHeight || 9) * scale];
    const sharp = Math.min(devicePixelRatio || 1, 3840 / width, 2160 / height);
    const [first, second] = this.chosen.map((entry) => entry && encodeURIComponent(entry.id));
    const url = (/** @type {number} */ at) => `${ROOT}assets/${this.token}/subtitles/${first}/frame.png?at=${at.toFixed(3)}&width=${Math.round(width * sharp)}&height=${Math.round(height * sharp)}${second ? `&lang=${second}` : ''}`;
    const edges = [...new Set(this.#tracks.flatMap((track) => track?.edges ?? []))].sort((a, b) => a - b);
    const before = edges.filter((edge) => edge <= time).at(-1);
    const next = edges.find((edge) => edge > time);
    if (this.#picture.parentElement !== element) replace(element, this.#picture);
    Object.assign(this.#picture.style, { width: `${width}px`, height: `${height}px`, left: `${(element.clientWidth - width) / 2}px`, top: `${(element.clientHeight - height) / 2}px` });
    this.#picture.onerror = () => { this.#isUnpainted = true; this.#shown = ''; };
    this.#picture.hidden = !isSaid;
    if (isSaid && before !== undefined) this.#picture.src = url(before + 0.002);
    if (next !== undefined) new Image().src = url(next + 0.002);
  }
}
