// @ts-check
/** Several assets that play one after the other: the page's address names the row, by a tag or by tokens. */

import { ROOT } from './dom.js';
import { store } from './store.js';
import { compare } from './texts.js';

/** The largest number of tokens in an address. */
const LONGEST = 200;

/**
 * The tokens of the row that an address's fragment names; empty without one.
 * @param {string} hash
 * @returns {string[]}
 */
export function listed(hash) {
  const name = decodeURIComponent(/[#&]row=([^&]*)/.exec(hash)?.[1] ?? '');
  if (!name.startsWith('tag:')) return name.split(',').filter(Boolean);
  return store.list().filter((asset) => asset.tags?.includes(name.slice(4))).sort((a, b) => compare(a.name, b.name)).map((asset) => asset.token);
}

/** @param {string} token */
export const nameOf = (token) => store.assets.get(token)?.name ?? token;

/**
 * The address that plays a row of assets, beginning with the first.
 * @param {string[]} tokens
 * @param {string} [tag] the tag that names the row
 */
export const rowURL = (tokens, tag) => `${ROOT}watch/${tokens[0]}#row=${tag ? encodeURIComponent(`tag:${tag}`) : tokens.slice(0, LONGEST).join(',')}&play`;
