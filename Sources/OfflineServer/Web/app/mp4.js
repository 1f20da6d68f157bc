// @ts-check
/** Reads facts from fragmented MP4 (ISO/IEC 14496-12) for players: codecs, time scales, start times of segments. */

/** @typedef {{id: number, type: string, timescale: number, codec: string, delay: number}} MP4Track */

/**
 * The boxes in a part of a buffer.
 * @param {DataView} view @param {number} from @param {number} to
 * @returns {Generator<{type: string, from: number, to: number}>}
 */
function* boxes(view, from, to) {
  for (let at = from; at + 8 <= to;) {
    let size = view.getUint32(at);
    let head = 8;
    if (size === 1 && at + 16 <= to) { size = view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12); head = 16; }
    if (size === 0) size = to - at;
    if (size < head) return;
    yield { type: name(view, at + 4), from: at + head, to: Math.min(to, at + size) };
    at += size;
  }
}

/**
 * @param {DataView} view
 * @param {number} at
 */
const name = (view, at) => String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));

/**
 * The boxes at a path.
 * @param {DataView} view @param {{from: number, to: number}} box @param {string[]} path
 * @returns {{type: string, from: number, to: number}[]}
 */
function find(view, box, path) {
  /** @type {{type: string, from: number, to: number}[]} */
  let found = [{ type: '', ...box }];
  for (const step of path) found = found.flatMap((outer) => [...boxes(view, outer.from, outer.to)].filter((inner) => inner.type === step));
  return found;
}

const hex = (/** @type {number} */ value) => value.toString(16).padStart(2, '0').toUpperCase();

/**
 * The codec of a sample entry, as RFC 6381 writes it.
 * @param {DataView} view
 * @param {{type: string, from: number, to: number}} entry
 */
function codec(view, entry) {
  const isVideo = /^(avc|hvc|hev|av01|vp09|dvh|encv)/.test(entry.type);
  const inner = [...boxes(view, entry.from + (isVideo ? 78 : 28), entry.to)];
  const box = (/** @type {string} */ type) => inner.find((item) => item.type === type);
  const avc = box('avcC');
  if (avc) return `${entry.type === 'encv' ? 'avc1' : entry.type}.${hex(view.getUint8(avc.from + 1))}${hex(view.getUint8(avc.from + 2))}${hex(view.getUint8(avc.from + 3))}`;
  const hevc = box('hvcC');
  if (hevc) {
    const first = view.getUint8(hevc.from + 1);
    let flags = view.getUint32(hevc.from + 2);
    let turned = 0;
    for (let bit = 0; bit < 32; bit += 1) { turned = (turned << 1) | (flags & 1); flags >>>= 1; }
    const constraints = [];
    for (let at = 0; at < 6; at += 1) constraints.push(view.getUint8(hevc.from + 6 + at));
    while (constraints.length && constraints.at(-1) === 0) constraints.pop();
    return [entry.type, ['', 'A', 'B', 'C'][first >> 6] + (first & 31), (turned >>> 0).toString(16).toUpperCase(), ((first >> 5) & 1 ? 'H' : 'L') + view.getUint8(hevc.from + 12), ...constraints.map((byte) => byte.toString(16).toUpperCase())].join('.');
  }
  if (entry.type === 'mp4a') {
    const es = box('esds');
    if (!es) return 'mp4a.40.2';
    // Descriptors: ES (3), decoder configuration (4) with the object type, decoder specific (5) with the audio's.
    let type = 0x40;
    for (let at = es.from + 4; at + 2 < es.to;) {
      const tag = view.getUint8(at);
      at += 1;
      let size = 0;
      for (let more = true; more && at < es.to; at += 1) { const byte = view.getUint8(at); size = (size << 7) | (byte & 127); more = byte > 127; }
      if (tag === 3) at += 3;
      else if (tag === 4) { type = view.getUint8(at); at += 13; } else if (tag === 5) {
        const object = view.getUint8(at) >> 3;
        return `mp4a.${type.toString(16)}.${object === 31 ? 32 + (((view.getUint16(at) >> 5) & 63)) : object}`;
      } else at += size;
    }
    return `mp4a.${type.toString(16)}`;
  }
  return ({ Opus: 'opus', fLaC: 'flac' })[entry.type] ?? entry.type;
}

/**
 * The media time at which the presentation begins, by the edit list, which browsers ignore in Media Source
 * Extensions.
 * @param {DataView} view
 * @param {{from: number} | undefined} list
 */
function delay(view, list) {
  if (!list) return 0;
  const isLong = view.getUint8(list.from) === 1;
  const count = view.getUint32(list.from + 4);
  for (let index = 0, at = list.from + 8; index < count; index += 1, at += isLong ? 20 : 12) {
    const time = isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
    if (time >= 0) return time;
  }
  return 0;
}

/**
 * The tracks of an initialization section.
 * @param {ArrayBuffer} buffer
 * @returns {MP4Track[]}
 */
export function readTracks(buffer) {
  const view = new DataView(buffer);
  const tracks = [];
  for (const trak of find(view, { from: 0, to: buffer.byteLength }, ['moov', 'trak'])) {
    const [header] = find(view, trak, ['tkhd']);
    const [media] = find(view, trak, ['mdia', 'mdhd']);
    const [handler] = find(view, trak, ['mdia', 'hdlr']);
    const [table] = find(view, trak, ['mdia', 'minf', 'stbl', 'stsd']);
    if (!header || !media || !handler || !table) continue;
    const [entry] = boxes(view, table.from + 8, table.to);
    if (!entry) continue;
    const timescale = view.getUint32(media.from + (view.getUint8(media.from) ? 20 : 12));
    tracks.push({
      id: view.getUint32(header.from + (view.getUint8(header.from) ? 20 : 12)), type: name(view, handler.from + 8),
      timescale, codec: codec(view, entry), delay: delay(view, find(view, trak, ['edts', 'elst'])[0]) / timescale,
    });
  }
  return tracks;
}

/**
 * The section without edit lists: some browsers apply the empty edits that encoders write, others don't.
 * @param {ArrayBuffer} buffer
 */
export function withoutEdits(buffer) {
  const copy = buffer.slice(0);
  const view = new DataView(copy);
  for (const box of find(view, { from: 0, to: copy.byteLength }, ['moov', 'trak', 'edts'])) view.setUint32(box.from - 4, 0x66726565);
  return copy;
}

/**
 * The presentation time of a segment's first sample, in seconds of its own clock; `null` if it is unknown.
 * @param {ArrayBuffer} buffer
 * @param {MP4Track[]} tracks those of its initialization section
 */
export function readStart(buffer, tracks) {
  const view = new DataView(buffer);
  const main = tracks.find((track) => track.type === 'vide') ?? tracks[0];
  for (const part of find(view, { from: 0, to: buffer.byteLength }, ['moof', 'traf'])) {
    const [header] = find(view, part, ['tfhd']);
    const [time] = find(view, part, ['tfdt']);
    if (!main || !header || !time || view.getUint32(header.from + 4) !== main.id) continue;
    const base = view.getUint8(time.from) ? view.getUint32(time.from + 4) * 2 ** 32 + view.getUint32(time.from + 8) : view.getUint32(time.from + 4);
    return (base + firstOffset(view, find(view, part, ['trun'])[0])) / main.timescale - main.delay;
  }
  return null;
}

/**
 * The composition offset of the first sample of a run.
 * @param {DataView} view
 * @param {{from: number} | undefined} run
 */
function firstOffset(view, run) {
  if (!run) return 0;
  const flags = view.getUint32(run.from) & 0xffffff;
  if (!(flags & 0x800) || !view.getUint32(run.from + 4)) return 0;
  let at = run.from + 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  for (const flag of [0x100, 0x200, 0x400]) if (flags & flag) at += 4;
  return view.getInt32(at);
}
