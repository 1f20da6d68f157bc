// @ts-check
/** Thumbnails for the seek bar: a second, silent video element plays the smallest stored video. */

import { h } from './dom.js';
import { isFragmented, Track } from './engine.js';
import { readStart, readTracks, withoutEdits } from './mp4.js';

/** Segments that are kept decoded at a time. */
const KEPT = 6;

export class Previews {
  element = h('video', { class: 'preview', playsinline: true, preload: 'auto', tabindex: -1, hidden: true });
  /** @type {Track | null} */
  #track = null;
  /** @type {MediaSource | null} */
  #source = null;
  /** @type {SourceBuffer | null} */
  #buffer = null;
  /** @type {import('./mp4.js').MP4Track[]} */
  #tracks = [];
  #section = '';
  /** @type {number[]} segments in the buffer, the oldest first */
  #kept = [];
  #wanted = -1;
  #isBusy = false;

  constructor() { this.element.muted = true; }

  /**
   * Switches to another asset.
   * @param {any} timeline the timeline for Media Source Extensions
   * @param {string} [file] the address of a file that the browser plays directly
   */
  use(timeline, file) {
    this.#end();
    if (file) this.element.src = file;
    const choice = (timeline?.renditions ?? []).filter((/** @type {any} */ r) => isFragmented(r) && ['iframe', 'variant'].includes(r.type));
    const share = (/** @type {any} */ r) => r.stored.reduce((/** @type {number} */ sum, /** @type {number[]} */ run) => sum + run[1] - run[0] + 1, 0) / r.durations.length;
    const weight = (/** @type {any} */ r) => (r.type === 'iframe' ? 0 : r.bandwidth ?? 1e9);
    choice.sort((/** @type {any} */ a, /** @type {any} */ b) => Math.round(share(b) * 20) - Math.round(share(a) * 20) || weight(a) - weight(b));
    this.#track = choice[0] ? new Track(choice[0]) : null;
  }

  /**
   * Updates which segments are stored.
   * @param {any} timeline
   */
  refresh(timeline) {
    const found = timeline?.renditions.find((/** @type {any} */ r) => r.id === this.#track?.id);
    if (this.#track && found && isFragmented(found)) this.#track = new Track(found);
  }

  #end() {
    this.element.hidden = true;
    this.element.removeAttribute('src');
    [this.#track, this.#source, this.#buffer, this.#section, this.#kept] = [null, null, null, '', []];
  }

  /**
   * Shows the picture of a moment when it is ready; hides one of another moment.
   * @param {number} time
   */
  async show(time) {
    this.#wanted = time;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let shown = -1; shown !== this.#wanted && this.#wanted >= 0;) {
        shown = this.#wanted;
        const isThere = await this.#seek(shown).catch(() => false);
        this.element.hidden = !isThere || this.#wanted < 0;
      }
    } finally { this.#isBusy = false; }
  }

  hide() { this.#wanted = -1; this.element.hidden = true; }

  /**
   * @param {number} time
   * @returns {Promise<boolean>}
   */
  async #seek(time) {
    const { element } = this;
    if (this.#track && !await this.#load(this.#track, this.#track.at(time))) return false;
    if (!element.src) return false;
    const ranges = element.buffered;
    let at = time;
    for (let index = 0; this.#track && index < ranges.length; index += 1) if (ranges.start(index) < time + 1 && ranges.end(index) > time - 1) at = Math.max(ranges.start(index), Math.min(time, ranges.end(index) - 0.05));
    if (Math.abs(element.currentTime - at) < 0.04 && element.readyState > 1) return true;
    return new Promise((done) => {
      const end = (/** @type {boolean} */ isThere) => { clearTimeout(timer); element.removeEventListener('seeked', seen); done(isThere); };
      const seen = () => end(true);
      const timer = setTimeout(() => end(false), 1500);
      element.addEventListener('seeked', seen);
      element.currentTime = at;
    });
  }

  /**
   * Loads a segment into the buffer; only stored segments are requested.
   * @param {Track} track
   * @param {number} index
   */
  async #load(track, index) {
    if (index >= track.count || !track.isStored(index)) return false;
    if (this.#kept.includes(index)) return true;
    const section = track.section(index);
    const get = async (/** @type {string} */ url) => { const reply = await fetch(url); if (!reply.ok) throw new Error(String(reply.status)); return reply.arrayBuffer(); };
    const head = section && section !== this.#section ? await get(section) : null;
    const bytes = await get(track.url(index));
    if (track !== this.#track) return false;
    if (head || !this.#tracks.length || !this.#buffer) this.#tracks = readTracks(head ?? bytes);
    const type = `${this.#tracks.some((item) => item.type === 'vide') ? 'video' : 'audio'}/mp4; codecs="${this.#tracks.map((item) => item.codec).join(',')}"`;
    if (!this.#buffer) {
      const source = new MediaSource();
      this.element.src = URL.createObjectURL(source);
      await new Promise((done) => source.addEventListener('sourceopen', done, { once: true }));
      URL.revokeObjectURL(this.element.src);
      [this.#source, this.#buffer] = [source, source.addSourceBuffer(type)];
    }
    const buffer = this.#buffer;
    const work = (/** @type {() => void} */ begin) => new Promise((done, fail) => {
      buffer.addEventListener('updateend', done, { once: true });
      buffer.addEventListener('error', fail, { once: true });
      begin();
    });
    if (head) {
      buffer.changeType?.(type);
      await work(() => buffer.appendBuffer(withoutEdits(head)));
      this.#section = section ?? '';
    }
    const start = readStart(bytes, this.#tracks);
    if (start !== null) buffer.timestampOffset = track.times[index] - start;
    await work(() => buffer.appendBuffer(bytes));
    this.#kept.push(index);
    const old = this.#kept.length > KEPT ? this.#kept.shift() : undefined;
    if (old !== undefined && this.#source?.readyState === 'open') await work(() => buffer.remove(track.times[old], track.times[old + 1] - 0.01));
    return true;
  }
}
