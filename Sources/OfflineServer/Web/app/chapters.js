// @ts-check
/** Chapters of an asset: from its session data, otherwise its date ranges with a title. */

import { ROOT } from './dom.js';
import { code } from './texts.js';

/** @typedef {{start: number, title: string}} Chapter */

/**
 * @param {string} url
 * @param {'json' | 'text'} kind
 */
const read = async (url, kind) => { const reply = await fetch(url).catch(() => null); return reply?.ok ? reply[kind]().catch(() => null) : null; };

/**
 * The chapters in order; empty without any.
 * @param {string} token
 * @returns {Promise<Chapter[]>}
 */
export async function readChapters(token) {
  const folder = `${ROOT}assets/${token}/`;
  const [list, ranges] = await Promise.all([read(`${folder}master.m3u8`, 'text'), read(`${folder}dateranges`, 'json')]);
  const line = String(list ?? '').split(/\r?\n/).find((text) => text.startsWith('#EXT-X-SESSION-DATA:') && text.includes('"com.apple.hls.chapters"'));
  const address = /[,:]URI="([^"]*)"/.exec(line ?? '')?.[1];
  const entries = address ? await read(new URL(address, folder).href, 'json') : null;
  const titled = (Array.isArray(ranges) ? ranges : []).map((range) => ({ start: range.start, title: Object.entries(range.attributes ?? {}).find(([name]) => /^X-(.*-)?TITLE$/.test(name))?.[1] }));
  const own = (Array.isArray(entries) ? entries : []).map((entry, index) => ({ start: entry['start-time'], title: title(entry.titles) ?? String(index + 1) }));
  const found = own.length ? own : titled;
  return found.filter((item) => Number.isFinite(item.start) && item.start >= 0 && item.title).map((item) => ({ start: Number(item.start), title: String(item.title) }))
    .sort((a, b) => a.start - b.start).slice(0, 1000);
}

/**
 * The title in the page's language, else the first.
 * @param {any} titles
 */
function title(titles) {
  if (!Array.isArray(titles)) return null;
  return (titles.find((entry) => String(entry?.language).split('-')[0] === code) ?? titles[0])?.title ?? null;
}

/**
 * The chapter of a moment.
 * @param {Chapter[]} chapters
 * @param {number} time
 */
export const chapterAt = (chapters, time) => chapters.filter((chapter) => chapter.start <= time + 0.01).at(-1) ?? null;
