// @ts-check
/** Signing in: with the code in the address of a QR code, or with a typed code. */

import { ask } from './api.js';
import { coded, field, h, icon, replace, ROOT } from './dom.js';
import { t } from './texts.js';

/** The query item for loading the page again from this page, so that the browser sends the cookie. */
const AGAIN = 'again';

function enter() {
  const url = new URL(location.href);
  url.searchParams.set(AGAIN, '1');
  url.hash = url.hash.startsWith('#code=') ? '' : url.hash;
  location.replace(url.href);
}

/** Removes the parts of the address that only signing in needs. */
export function tidyAddress() {
  const url = new URL(location.href);
  if (!url.searchParams.has(AGAIN) && !url.hash.startsWith('#code=')) return;
  url.searchParams.delete(AGAIN);
  if (url.hash.startsWith('#code=')) url.hash = '';
  history.replaceState(null, '', url.href);
}

/** @param {HTMLElement} main */
export async function signIn(main) {
  const brought = /^#code=([\w-]+)/.exec(location.hash)?.[1];
  // A browser that follows a link from another site sends no cookie at first.
  if (!new URL(location.href).searchParams.has(AGAIN) && (await fetch(`${ROOT}api/v1/sessions`).catch(() => null))?.ok) { enter(); return; }
  const code = h('input', { type: 'text', required: true, value: brought ?? '', class: 'code-input', autocomplete: 'one-time-code', autocapitalize: 'characters', spellcheck: 'false', maxlength: 12, placeholder: 'XXXX-XXXX' });
  const message = h('p', { class: 'error', role: 'alert' });
  const go = h('button', { type: 'submit', class: 'button primary' }, t('signIn'));
  const send = async () => {
    go.disabled = true;
    message.textContent = '';
    try {
      await ask('POST', 'sessions', { code: code.value.trim() });
      enter();
    } catch (error) {
      message.textContent = /** @type {Error} */ (error).message;
      go.disabled = false;
      code.focus();
    }
  };
  main.className = 'view view-signin';
  replace(main, h('div', { class: 'sign-in panel' }, h('span', { class: 'mark', 'aria-hidden': 'true' }, icon('mark')), h('h1', {}, t('signIn')), h('p', {}, coded(t('signInLong'))),
    h('form', { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); send(); } }, field(t('code'), code, t('codeHint')), message, go),
    h('p', { class: 'muted' }, t('signInToken'))));
  if (brought) await send(); else code.focus();
}
