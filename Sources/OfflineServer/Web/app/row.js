// @ts-check
/** Several assets one after the other: the row stands in the address, as a tag or as tokens. */

import { ROOT } from './dom.js';
import { store } from './store.js';
import { compare } from './texts.js';

/** So many assets stand in an address at most. */
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
 * The address that plays assets in a row from the first on.
 * @param {string[]} tokens
 * @param {string} [tag] by which they are found again
 */
export const rowURL = (tokens, tag) => `${ROOT}watch/${tokens[0]}#row=${tag ? encodeURIComponent(`tag:${tag}`) : tokens.slice(0, LONGEST).join(',')}&play`;
