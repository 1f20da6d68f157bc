// @ts-check
/** Subtitles over the picture: read by the browser's own WebVTT parser, painted by the page, two tracks at once. */

import { kept } from './api.js';
import { h, replace, ROOT } from './dom.js';

/** One track of subtitles, read whole. */
class CueTrack {
  /** @type {VTTCue[]} by their beginnings */
  cues = [];
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
    this.#element.addEventListener('load', () => {
      this.cues = [...(this.#element.track.cues ?? [])].sort((a, b) => a.startTime - b.startTime);
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

/** Paints what is said at the moment. */
export class CueLayer extends EventTarget {
  element = h('div', { class: 'cue-layer', lang: '' });
  /** @type {(CueTrack | null)[]} the first and the second track */
  #tracks = [null, null];
  /** @type {any[]} what is chosen: entries of the asset's list of subtitles */
  chosen = [null, null];
  #shown = '';
  #timer = 0;
  /** @type {Map<string, any>} */
  #renewals = new Map();
  style = { size: 1, position: 'bottom', delay: 0, background: 'shade', ...kept('cues', {}) };

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

  stop() { cancelAnimationFrame(this.#timer); for (const timer of this.#renewals.values()) clearTimeout(timer); }

  /**
   * Chooses a track, or none.
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
    // What is still being downloaded is read again from time to time.
    if (!entry.complete) this.#renewals.set(String(place), setTimeout(() => { if (this.chosen[place] === entry) this.#load(entry, place); }, 10000));
    before?.remove();
    this.#tracks[place] = track;
  }

  /** All cues of the first track. */
  get cues() { return this.#tracks[0]?.cues ?? []; }

  draw() {
    const time = this.video.currentTime - this.style.delay;
    const active = this.#tracks.map((track) => track?.active(time) ?? []);
    const key = JSON.stringify([active.map((cues) => cues.map((cue) => `${cue.startTime} ${cue.text}`)), this.style]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.element.style.setProperty('--cue-size', String(this.style.size));
    this.element.dataset.background = this.style.background;
    this.element.dataset.position = this.style.position;
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
    replace(this.element, stacks.top, stacks.bottom, placed);
  }
}
