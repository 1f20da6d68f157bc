// @ts-check
/** The server's JSON API. */

import { ROOT } from './dom.js';
import { t } from './texts.js';

/** An answer with the reason for which a request failed. */
export class Problem extends Error {
  /** @param {any} document a problem document (RFC 9457) */
  constructor(document) {
    super(document.detail ?? document.title ?? t('failed'));
    this.status = document.status ?? 0;
    this.document = document;
  }
}

/**
 * Sends a request to the API; returns the answer's JSON, or `null` without any.
 * @param {string} method
 * @param {string} path below /api/v1/
 * @param {any} [body]
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, options = {}) {
  let response;
  try {
    response = await fetch(`${ROOT}api/v1/${path}`, {
      method, ...options,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Problem({ detail: t('unreachable') });
  }
  const text = await response.text();
  let document = null;
  try { document = text ? JSON.parse(text) : null; } catch { /* what is no JSON says nothing */ }
  if (response.status === 401 && document?.type?.endsWith('token') && window.document.documentElement.dataset.page !== 'signin') {
    // This device was signed out: the server answers with the page for signing in.
    location.reload();
    return new Promise(() => {});
  }
  if (!response.ok) throw new Problem(document ?? { status: response.status, detail: `${response.status} ${response.statusText}` });
  return document;
}

/**
 * Does one thing to assets.
 * @param {string} action pause, resume, cancel, remove, pin, unpin or prioritize
 * @param {string[]} tokens
 * @param {Record<string, any>} [more]
 * @param {RequestInit} [options]
 */
export async function control(action, tokens, more = {}, options = {}) {
  const report = await ask('POST', 'control', { action, tokens, ...more }, options);
  if (report.refused.length) throw new Problem({ detail: report.refused.map((/** @type {any} */ r) => r.detail).join(' ') });
  return report;
}

/** The host's part of an asset's own address, as players elsewhere reach it. */
export const playlistURL = (/** @type {string} */ token) => `${ROOT}assets/${token}/master.m3u8`;

/**
 * Reads a value that this browser keeps.
 * @param {string} key
 * @param {any} usual
 */
export function kept(key, usual) {
  try { return JSON.parse(localStorage.getItem(`offline-server.${key}`) ?? 'null') ?? usual; } catch { return usual; }
}

/**
 * Keeps a value in this browser.
 * @param {string} key
 * @param {any} value
 */
export function keep(key, value) {
  try { localStorage.setItem(`offline-server.${key}`, JSON.stringify(value)); } catch { /* private windows keep nothing */ }
}
