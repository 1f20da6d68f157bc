// @ts-check
/**
 * Plays an asset by Media Source Extensions: reads its timeline, fetches segments of fragmented MP4, and keeps half a
 * minute of media ahead of the playhead. At most two requests are in progress.
 */

import { ask } from './api.js';
import { ROOT } from './dom.js';
import { readStart, readTracks, withoutEdits } from './mp4.js';

const AHEAD = 30;
const BEHIND = 30;

/** A rendition with the times of its segments. */
export class Track {
  /** @param {any} rendition of the timeline */
  constructor(rendition) {
    this.rendition = rendition;
    this.id = rendition.id;
    this.first = rendition.first;
    /** @type {number[]} when each segment begins, and at last when all end */
    this.times = [rendition.start];
    for (const duration of rendition.durations) this.times.push(/** @type {number} */ (this.times.at(-1)) + duration);
  }

  get count() { return this.rendition.durations.length; }

  get end() { return /** @type {number} */ (this.times.at(-1)); }

  /**
   * The index of the segment at a time.
   * @param {number} time
   */
  at(time) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle + 1] <= time) low = middle + 1; else high = middle;
    }
    return low;
  }

  /** @param {number} index */
  isGap(index) { return this.rendition.gaps.some((/** @type {number[]} */ run) => run[0] <= index + this.first && index + this.first <= run[1]); }

  /** @param {number} index */
  isStored(index) { return this.rendition.stored.some((/** @type {number[]} */ run) => run[0] <= index + this.first && index + this.first <= run[1]); }

  /**
   * How many discontinuities stand before a segment.
   * @param {number} index
   */
  stretch(index) { return this.rendition.discontinuities.filter((/** @type {number} */ number) => number <= index + this.first).length; }

  /** @param {number} index */
  url(index) { return this.rendition.urls?.[index] ?? ROOT + this.rendition.segment_uri.replace('{n}', String(index + this.first)); }

  /**
   * The initialization section of a segment; `null` where it has its own.
   * @param {number} index
   */
  section(index) {
    if (this.rendition.maps) return this.rendition.maps[index] ?? null;
    const pair = this.rendition.initializations.filter((/** @type {number[]} */ entry) => entry[0] <= index + this.first).at(-1);
    return pair && this.rendition.initialization_uri ? ROOT + this.rendition.initialization_uri.replace('{n}', String(pair[1])) : null;
  }
}

/**
 * Whether a rendition's segments fit Media Source Extensions.
 * @param {any} rendition
 */
export const isFragmented = (/** @type {any} */ rendition) => rendition.playlist && rendition.durations.length > 0 && ['m4s', 'mp4'].includes(rendition.container);

/**
 * Replaces the addresses of media in other containers by their addresses as fragmented MP4. If the server can't
 * convert
 * them, the timeline stays unchanged.
 * @param {any} timeline
 */
export async function fragment(timeline) {
  const others = timeline.renditions.filter((/** @type {any} */ r) => ['variant', 'audio'].includes(r.type) && r.playlist && r.durations.length && !isFragmented(r));
  if (!others.length) return timeline;
  const read = async (/** @type {string} */ url) => { const reply = await fetch(url).catch(() => null); return reply?.ok ? reply.text() : ''; };
  const folder = `${ROOT}assets/${timeline.token}/`;
  const list = await read(`${folder}master.m3u8?container=fmp4${others.some((/** @type {any} */ r) => r.encrypted) ? '&decrypt=1' : ''}`);
  await Promise.all(others.map(async (/** @type {any} */ rendition) => {
    const [address] = list.match(new RegExp(`${rendition.id}/[^"\\s]*\\?[^"\\s]*container=fmp4[^"\\s]*`)) ?? [];
    if (!address) return;
    const base = new URL(address, folder).href;
    let map = '';
    /** @type {string[]} */
    const urls = [];
    /** @type {string[]} */
    const maps = [];
    for (const line of (await read(base)).split(/\r?\n/)) {
      if (line.startsWith('#EXT-X-MAP:')) map = new URL(/URI="([^"]*)"/.exec(line)?.[1] ?? '', base).href;
      if (line && !line.startsWith('#')) { urls.push(new URL(line, base).href); maps.push(map); }
    }
    if (map && urls.length === rendition.durations.length) Object.assign(rendition, { urls, maps, container: 'm4s' });
  }));
  return timeline;
}

/**
 * Whether a request that failed may succeed later: the server is unreachable, or has not got the bytes yet.
 * @param {any} error
 */
const isPassing = (error) => error.status === 503 || error.status === undefined && error.message === 'network';

/** The state of one source buffer and its rendition. */
class Lane {
  /** @type {SourceBuffer | null} */
  buffer = null;
  /** @type {Track} */
  track;
  /** The segment that comes next. */
  next = 0;
  /** @type {AbortController | null} */
  fetching = null;
  section = '';
  /** @type {import('./mp4.js').MP4Track[]} */
  tracks = [];
  isBusy = false;
  isAtEnd = false;
  /** No request is sent before this time. */
  pause = 0;
  offset = NaN;
  /** The content type of the buffer. */
  type = '';

  /**
   * @param {'video' | 'audio'} kind
   * @param {Track} track
   */
  constructor(kind, track) { this.kind = kind; this.track = track; }
}

export class Engine extends EventTarget {
  #source = new MediaSource();
  /** @type {Lane[]} */
  #lanes = [];
  /** @type {Map<number, number>} seconds to add to the clock of each stretch */
  #offsets = new Map();
  /** @type {Map<string, ArrayBuffer>} */
  #sections = new Map();
  #timer = 0;
  #reload = 0;
  #isEnded = false;
  #stuck = 0;
  #lastTime = -1;
  #ahead = AHEAD;
  /** Bits a second that came lately. */
  throughput = 0;
  isAutomatic = true;
  /** @type {any[]} */
  variants = [];
  /** @type {any[]} */
  audios = [];

  /**
   * @param {HTMLVideoElement} video
   * @param {any} timeline
   */
  constructor(video, timeline) {
    super();
    this.video = video;
    this.timeline = timeline;
    const fragmented = timeline.renditions.filter(isFragmented);
    this.variants = fragmented.filter((/** @type {any} */ r) => r.type === 'variant').sort((/** @type {any} */ a, /** @type {any} */ b) => (b.bandwidth ?? 0) - (a.bandwidth ?? 0));
    this.audios = fragmented.filter((/** @type {any} */ r) => r.type === 'audio');
  }

  /**
   * Whether this browser can play a timeline by Media Source Extensions.
   * @param {any} timeline
   */
  static plays(timeline) {
    if (!('MediaSource' in window)) return false;
    const variants = timeline.renditions.filter((/** @type {any} */ r) => r.type === 'variant' && r.playlist);
    const audios = timeline.renditions.filter((/** @type {any} */ r) => r.type === 'audio' && r.playlist);
    const has = (/** @type {any[]} */ list) => list.some(isFragmented);
    return (has(variants) || (!variants.length && has(audios))) && (!audios.length || has(audios));
  }

  get #tall() { return Number(this.lane('video')?.track.rendition.resolution?.split('x')[1]) || 0; }

  /** @param {'video' | 'audio'} kind */
  lane(kind) { return this.#lanes.find((lane) => lane.kind === kind); }

  /** The renditions that play now. */
  get playing() { return { variant: this.lane('video')?.track.rendition ?? null, audio: this.lane('audio')?.track.rendition ?? null }; }

  /**
   * Starts playback; returns when the first segments have been requested.
   * @param {number} at seconds
   * @param {{audio?: string}} [wishes]
   */
  async start(at, wishes = {}) {
    this.#source = new MediaSource();
    this.video.src = URL.createObjectURL(this.#source);
    await new Promise((done) => this.#source.addEventListener('sourceopen', done, { once: true }));
    URL.revokeObjectURL(this.video.src);
    this.#setDuration();
    if (this.variants.length) this.#lanes.push(new Lane('video', new Track(this.#best())));
    const audio = this.audios.find((track) => wishes.audio && track.language?.split('-')[0] === wishes.audio.split('-')[0]) ?? this.audios.find((track) => track.default) ?? this.audios[0];
    if (audio) this.#lanes.push(new Lane('audio', new Track(audio)));
    for (const lane of this.#lanes) await this.#open(lane, at);
    if (this.#dead) return;
    for (const lane of this.#lanes) lane.next = lane.track.at(at);
    if (at > 0) {
      const go = () => { if (!this.#dead && Math.abs(this.video.currentTime - at) > 0.3) this.video.currentTime = at; };
      go();
      // Firefox ignores a start time that is set before it knows the media.
      this.video.addEventListener('loadedmetadata', go, { once: true });
    }
    this.video.addEventListener('seeking', this.#onSeek);
    this.#timer = setInterval(() => this.#tick(), 200);
    if (this.timeline.live || !this.timeline.complete) this.#reload = setInterval(() => this.reload(), this.timeline.live ? 2000 : 5000);
    this.#tick();
  }

  #dead = false;

  /** Ends everything. */
  stop() {
    this.#dead = true;
    clearInterval(this.#timer);
    clearInterval(this.#reload);
    this.video.removeEventListener('seeking', this.#onSeek);
    for (const lane of this.#lanes) lane.fetching?.abort();
  }

  #setDuration() {
    const end = Math.max(...this.timeline.renditions.filter((/** @type {any} */ r) => r.durations.length && ['variant', 'audio'].includes(r.type)).map((/** @type {any} */ r) => new Track(r).end), 0);
    if (this.#source.readyState !== 'open' || this.#lanes.some((lane) => lane.buffer?.updating)) return;
    if (this.timeline.live) {
      this.#source.duration = Infinity;
      this.#source.setLiveSeekableRange?.(0, end);
    } else if (this.#source.duration !== end && end > 0) {
      try { this.#source.duration = end; } catch { /* what is buffered is longer */ }
    }
  }

  /** The end of the available media of a recording. */
  get liveEnd() { return this.#lanes.length ? Math.min(...this.#lanes.map((lane) => lane.track.end)) : 0; }

  /** Reads the timeline again, as there may be more of it. */
  async reload() {
    try {
      const timeline = await fragment(await ask('GET', `assets/${this.timeline.token}/timeline`));
      if (this.#dead) return;
      this.timeline = timeline;
      for (const lane of this.#lanes) {
        const found = timeline.renditions.find((/** @type {any} */ r) => r.id === lane.track.id);
        if (!found) continue;
        const grown = new Track(found);
        if (grown.count > lane.track.count) lane.isAtEnd = false;
        lane.next += lane.track.first - grown.first;
        lane.track = grown;
      }
      const fragmented = timeline.renditions.filter(isFragmented);
      this.variants = fragmented.filter((/** @type {any} */ r) => r.type === 'variant').sort((/** @type {any} */ a, /** @type {any} */ b) => (b.bandwidth ?? 0) - (a.bandwidth ?? 0));
      this.audios = fragmented.filter((/** @type {any} */ r) => r.type === 'audio');
      this.#setDuration();
      if (timeline.complete && !timeline.live) clearInterval(this.#reload);
      this.dispatchEvent(new Event('timeline'));
    } catch { /* the next time may do */ }
  }

  /**
   * Makes the source buffer, as the codecs of the first section say.
   * @param {Lane} lane
   * @param {number} at
   */
  async #open(lane, at) {
    const type = await this.#type(lane, lane.track, lane.track.at(Math.max(0, at)));
    if (this.#dead) return;
    lane.buffer = this.#source.addSourceBuffer(type);
    lane.type = type;
  }

  /**
   * The content type of a track.
   * @param {Lane} lane
   * @param {Track} track
   * @param {number} index
   */
  async #type(lane, track, index) {
    const url = track.section(Math.min(index, track.count - 1)) ?? track.url(Math.min(index, track.count - 1));
    const bytes = await this.#patiently(url);
    const tracks = readTracks(bytes);
    if (track.section(0)) this.#sections.set(url, bytes);
    const codecs = tracks.map((item) => item.codec).join(',') || track.rendition.codecs || '';
    const kind = tracks.length ? (tracks.some((item) => item.type === 'vide') ? 'video' : 'audio') : lane.kind;
    const type = `${kind}/mp4; codecs="${codecs}"`;
    if (!MediaSource.isTypeSupported(type)) throw new Error(type);
    return type;
  }

  /**
   * Loads a resource that may still be on its way: asks again while the server is unreachable or answers 503.
   * @param {string} url
   */
  async #patiently(url) {
    for (;;) {
      try { return await this.#load(url, new AbortController().signal); } catch (caught) {
        const error = /** @type {any} */ (caught);
        if (!isPassing(error)) throw error;
        if (this.#dead) throw new DOMException('aborted', 'AbortError');
        this.dispatchEvent(new CustomEvent('wait', { detail: error }));
        await new Promise((done) => setTimeout(done, 1000 * (error.after || 1)));
        if (this.#dead) throw new DOMException('aborted', 'AbortError');
      }
    }
  }

  /** The highest variant that fits the measured bandwidth; among stored variants, if there are any. */
  #best() {
    const limit = this.throughput ? this.throughput * 0.8 : Infinity;
    const share = (/** @type {any} */ r) => r.stored.reduce((/** @type {number} */ sum, /** @type {number[]} */ run) => sum + run[1] - run[0] + 1, 0) / r.durations.length;
    const stored = this.variants.filter((variant) => share(variant) > 0.95);
    const choice = stored.length ? stored : this.variants;
    return choice.find((variant) => stored.length || (variant.bandwidth ?? 0) <= limit) ?? choice.at(-1);
  }

  /**
   * Chooses a variant; `null` lets the engine do so.
   * @param {string | null} id
   */
  choose(id) {
    this.isAutomatic = id === null;
    const lane = this.lane('video');
    const wanted = id === null ? this.#best() : this.variants.find((variant) => variant.id === id);
    if (!lane || !wanted || wanted.id === lane.track.id) return;
    this.#switch(lane, wanted);
  }

  /** @param {string} id */
  chooseAudio(id) {
    const lane = this.lane('audio');
    const wanted = this.audios.find((track) => track.id === id);
    if (lane && wanted && wanted.id !== lane.track.id) this.#switch(lane, wanted, true);
  }

  /**
   * Switches to another rendition; only the buffered media at the playhead stay.
   * @param {Lane} lane
   * @param {any} rendition
   * @param {boolean} [isAtOnce] whether to remove the media at the playhead, too
   */
  async #switch(lane, rendition, isAtOnce = false) {
    lane.fetching?.abort();
    const { track: before } = lane;
    const track = new Track(rendition);
    lane.track = track;
    lane.isAtEnd = false;
    this.#isEnded = false;
    await this.#turn(lane, async () => {
      const time = this.video.currentTime;
      const shown = Math.min(before.at(time), before.count - 1);
      const last = before.times[shown + 1] - time < 0.3 ? shown + 1 : shown;
      const end = before.times[Math.min(last + 1, before.count)];
      await this.#remove(lane, 0, isAtOnce ? Infinity : before.times[shown] - 0.05);
      if (!isAtOnce) await this.#remove(lane, end, Infinity);
      // The user may have moved the playhead during the removal.
      lane.next = this.#following(lane);
    });
    this.dispatchEvent(new Event('track'));
    this.#tick();
  }

  #onSeek = () => {
    const time = this.video.currentTime;
    this.#isEnded = false;
    for (const lane of this.#lanes) {
      lane.isAtEnd = false;
      lane.pause = 0;
      if (this.#end(lane, time) <= time + 0.1) lane.fetching?.abort();
      lane.next = this.#following(lane);
    }
    this.#tick();
  };

  /**
   * The index of the segment that continues the buffered media at the playhead.
   * @param {Lane} lane
   */
  #following(lane) {
    const time = this.video.currentTime;
    const end = this.#end(lane, time);
    return lane.track.at(end > time + 0.1 ? end + 0.05 : time);
  }

  /**
   * The end of the buffered range that contains a time.
   * @param {Lane} lane
   * @param {number} time
   */
  #end(lane, time) {
    const ranges = lane.buffer?.buffered;
    for (let index = 0; ranges && index < ranges.length; index += 1) if (ranges.start(index) <= time + 0.2 && time < ranges.end(index)) return ranges.end(index);
    return time;
  }

  #tick() {
    if (this.#dead) return;
    for (const lane of this.#lanes) this.#feed(lane);
    this.#finish();
    this.#unstick();
  }

  #finish() {
    if (this.timeline.live || this.#isEnded || this.#source.readyState !== 'open') return;
    if (!this.#lanes.length || !this.#lanes.every((lane) => lane.isAtEnd && !lane.isBusy && !lane.buffer?.updating)) return;
    this.#isEnded = true;
    this.#source.endOfStream();
  }

  /** Jumps over a gap in front of the playhead. */
  #unstick() {
    const { video } = this;
    const time = video.currentTime;
    const isStill = time === this.#lastTime;
    this.#lastTime = time;
    if ((video.paused && video.readyState > 1) || video.seeking && video.readyState > 2 || !isStill || video.readyState > 2) { this.#stuck = 0; return; }
    this.#stuck += 1;
    if (this.#stuck < 3) return;
    const ranges = video.buffered;
    // The media of a segment may end a few tenths of a second before the segment does.
    let end = time;
    for (let index = 0; index < ranges.length; index += 1) {
      const start = ranges.start(index);
      if (start <= time) end = Math.max(time, Math.min(ranges.end(index), time + 0.5));
      if (start <= time || start > time + 60) continue;
      const main = this.#lanes[0].track;
      let isHole = start - time < 0.6;
      if (!isHole) {
        isHole = true;
        for (let segment = main.at(end + 0.4); segment < main.at(start - 0.1); segment += 1) if (!main.isGap(segment)) isHole = false;
      }
      if (isHole) { video.currentTime = start + 0.01; this.#stuck = 0; }
      return;
    }
  }

  /**
   * Fetches the next segments of a lane, one at a time.
   * @param {Lane} lane
   */
  async #feed(lane) {
    if (lane.isBusy || !lane.buffer || lane.buffer.updating || performance.now() < lane.pause) return;
    const time = this.video.currentTime;
    if (this.#end(lane, time) - time > this.#ahead) return;
    while (lane.next < lane.track.count && lane.track.isGap(lane.next)) lane.next += 1;
    if (lane.next >= lane.track.count) { lane.isAtEnd = !this.timeline.live; return; }
    await this.#turn(lane, () => this.#append(lane, lane.track, lane.next));
    if (!this.#dead) queueMicrotask(() => this.#tick());
  }

  /**
   * Runs the tasks of a lane one after the other.
   * @param {Lane} lane
   * @param {() => Promise<void>} work
   */
  async #turn(lane, work) {
    while (lane.isBusy) await new Promise((done) => setTimeout(done, 20));
    lane.isBusy = true;
    try {
      await work();
    } catch (error) {
      this.#failed(lane, /** @type {any} */ (error));
    } finally {
      lane.isBusy = false;
    }
  }

  /**
   * @param {Lane} lane
   * @param {any} error
   */
  #failed(lane, error) {
    if (error.name === 'AbortError' || this.#dead) return;
    if (isPassing(error)) {
      lane.pause = performance.now() + 1000 * (error.after || 1);
      this.dispatchEvent(new CustomEvent('wait', { detail: error }));
    } else if (error.status === 404) {
      lane.next += 1;
    } else {
      this.stop();
      this.dispatchEvent(new CustomEvent('failure', { detail: error }));
    }
  }

  /**
   * @param {Lane} lane
   * @param {Track} track
   * @param {number} index
   */
  async #append(lane, track, index) {
    const fetching = new AbortController();
    lane.fetching = fetching;
    const section = track.section(index);
    if (this.isAutomatic && lane.kind === 'video') this.#consider(lane);
    let sectionBytes = null;
    if (section && `${track.id} ${section}` !== lane.section) {
      sectionBytes = this.#sections.get(section) ?? await this.#load(section, fetching.signal);
      this.#sections.set(section, sectionBytes);
    }
    const began = performance.now();
    const bytes = await this.#load(track.url(index), fetching.signal);
    this.#measure(bytes.byteLength, performance.now() - began);
    if (lane.track.id !== track.id || lane.next !== index || !lane.buffer) return;
    if (sectionBytes || !section && !lane.tracks.length) {
      lane.tracks = readTracks(sectionBytes ?? bytes);
      const type = `${lane.tracks.some((item) => item.type === 'vide') ? 'video' : 'audio'}/mp4; codecs="${lane.tracks.map((item) => item.codec).join(',')}"`;
      if (lane.tracks.length && lane.type !== type && MediaSource.isTypeSupported(type)) { lane.buffer.changeType(type); lane.type = type; }
    }
    this.#shift(lane, track, index, bytes);
    if (sectionBytes) { await this.#put(lane, withoutEdits(sectionBytes)); lane.section = `${track.id} ${section}`; }
    await this.#put(lane, section ? bytes : withoutEdits(bytes));
    if (lane.next === index) lane.next = index + 1;
    this.dispatchEvent(new Event('append'));
    await this.#forget(lane);
  }

  /**
   * Brings the clock of a stretch to the presentation's.
   * @param {Lane} lane
   * @param {Track} track
   * @param {number} index
   * @param {ArrayBuffer} bytes
   */
  #shift(lane, track, index, bytes) {
    const stretch = track.stretch(index);
    if (!this.#offsets.has(stretch)) {
      const start = readStart(bytes, lane.tracks);
      if (start !== null) this.#offsets.set(stretch, track.times[index] - start);
    }
    const main = lane.tracks.find((item) => item.type === 'vide') ?? lane.tracks[0];
    const offset = (this.#offsets.get(stretch) ?? 0) - (main?.delay ?? 0);
    if (lane.buffer && lane.offset !== offset) {
      lane.buffer.abort();
      lane.buffer.timestampOffset = offset;
      lane.offset = offset;
    }
  }

  /**
   * Checks whether another variant fits the bandwidth better.
   * @param {Lane} lane
   */
  #consider(lane) {
    const best = this.#best();
    if (best.id === lane.track.id) return;
    const track = new Track(best);
    const time = lane.track.times[lane.next] ?? this.video.currentTime;
    lane.track = track;
    lane.next = track.at(time + 0.05);
    this.dispatchEvent(new Event('track'));
    throw new DOMException('switched', 'AbortError');
  }

  /**
   * @param {number} bytes
   * @param {number} milliseconds
   */
  #measure(bytes, milliseconds) {
    const rate = bytes * 8000 / Math.max(milliseconds, 5);
    this.throughput = this.throughput ? this.throughput * 0.7 + rate * 0.3 : rate;
  }

  /**
   * @param {string} url
   * @param {AbortSignal} signal
   * @returns {Promise<ArrayBuffer>}
   */
  async #load(url, signal) {
    let response;
    try { response = await fetch(url, { signal }); } catch (error) {
      if (signal.aborted) throw new DOMException('aborted', 'AbortError');
      throw new Error('network');
    }
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      throw Object.assign(new Error(problem.detail ?? `${response.status}`), { status: response.status, after: Number(response.headers.get('Retry-After')) });
    }
    try { return await response.arrayBuffer(); } catch {
      if (signal.aborted) throw new DOMException('aborted', 'AbortError');
      throw new Error('network');
    }
  }

  /**
   * @param {Lane} lane
   * @param {ArrayBuffer} bytes
   */
  async #put(lane, bytes) {
    for (let tries = 0; ; tries += 1) {
      try {
        if (!lane.buffer || this.#source.readyState === 'closed') return;
        lane.buffer.appendBuffer(bytes);
        await this.#updated(lane.buffer);
        return;
      } catch (error) {
        if (/** @type {any} */ (error).name !== 'QuotaExceededError' || tries > 4) throw error;
        // The browser's buffer is full: played media are removed first, then less is kept ahead.
        this.#ahead = Math.max(6, this.#ahead * 0.7);
        await this.#remove(lane, 0, Math.max(0, this.video.currentTime - 5));
        await this.#remove(lane, this.video.currentTime + this.#ahead * 2, Infinity);
      }
    }
  }

  /**
   * @param {SourceBuffer} buffer
   * @returns {Promise<void>}
   */
  #updated(buffer) {
    return new Promise((done, fail) => {
      buffer.addEventListener('updateend', () => done(), { once: true });
      buffer.addEventListener('error', () => fail(new Error('media')), { once: true });
    });
  }

  /**
   * @param {Lane} lane
   * @param {number} from
   * @param {number} to
   */
  async #remove(lane, from, to) {
    const { buffer } = lane;
    if (!buffer || to <= from || !buffer.buffered.length || this.#source.readyState === 'closed') return;
    buffer.remove(from, to);
    await this.#updated(buffer);
  }

  /**
   * Removes played media from the buffer.
   * @param {Lane} lane
   */
  async #forget(lane) {
    const limit = this.video.currentTime - BEHIND;
    if (lane.buffer?.buffered.length && lane.buffer.buffered.start(0) < limit - BEHIND) await this.#remove(lane, 0, limit);
  }

  /** Figures for the statistics overlay. */
  get statistics() {
    const quality = this.video.getVideoPlaybackQuality?.();
    return {
      variant: this.lane('video')?.track.id ?? '–', height: this.#tall, audio: this.lane('audio')?.track.id ?? '–',
      type: this.#lanes.map((lane) => lane.type).join(' + '), throughput: this.throughput,
      ahead: Math.min(...this.#lanes.map((lane) => this.#end(lane, this.video.currentTime) - this.video.currentTime)),
      dropped: quality?.droppedVideoFrames ?? 0, shown: quality?.totalVideoFrames ?? 0,
    };
  }
}
