// @ts-check
/** Elements, icons, dialogs and messages. Text is always set as text, never as markup. */

import { t } from './texts.js';

/** The server's root, with a slash at the end: whatever stands in front of the pages' paths stays. */
export const ROOT = new URL('../', import.meta.url).href;

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element.
 * @param {string} tag its name
 * @param {Record<string, any>} [attributes] `onclick` and the like are listeners, `class` and others attributes
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'open') Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  fill(element, ...children);
  return element;
}

/**
 * Appends children; `null` and `false` are left out.
 * @param {Element | DocumentFragment} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * A text whose words between backticks are shown as code.
 * @param {string} text
 */
export const coded = (text) => text.split('`').map((part, index) => (index % 2 ? h('code', {}, part) : part));

/**
 * Replaces the content of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function replace(element, ...children) {
  element.replaceChildren();
  fill(element, ...children);
}

// All icons come into the page once: browsers can't get them one by one while the server is away.
fetch(`${ROOT}app/icons.svg`).then((response) => response.text()).then((text) => {
  const sprite = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
  sprite.setAttribute('class', 'sprite');
  sprite.setAttribute('aria-hidden', 'true');
  document.body.append(sprite);
}).catch(() => { /* buttons have names */ });

/**
 * An icon of the sprite; hidden from assistive technology, which reads the control's name.
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('viewBox', '0 0 24 24');
  const use = document.createElementNS(space, 'use');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

/**
 * A button with an icon; without a visible text its name is its tooltip.
 * @param {string} name the icon
 * @param {string} label
 * @param {(event: any) => void} action
 * @param {Record<string, any>} [more] attributes; `text: true` shows the label
 */
export function button(name, label, action, more = {}) {
  const { text, ...attributes } = more;
  const kind = attributes.class ?? (text ? 'button' : 'button bare');
  return h('button', {
    type: 'button', ...attributes, class: kind, onclick: action,
    'aria-label': text ? null : label, title: text ? null : label,
  }, name && icon(name), text && h('span', {}, label));
}

/** @type {HTMLElement | null} */
let toasts = null;
/** @type {HTMLElement | null} */
let announcer = null;

/**
 * Makes assistive technology read a text aloud.
 * @param {string} text
 */
export function announce(text) {
  if (!announcer) {
    announcer = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
    document.body.append(/** @type {HTMLElement} */ (announcer));
  }
  /** @type {HTMLElement} */ (announcer).textContent = text;
}

/**
 * Shows a message for a while.
 * @param {string} text
 * @param {{kind?: 'error' | 'info', action?: [string, () => void], seconds?: number, onend?: () => void}} [options]
 */
export function toast(text, options = {}) {
  const { kind = 'info', action, seconds = 6 } = options;
  if (!toasts) {
    toasts = h('div', { class: 'toasts', role: 'region', 'aria-label': t('messages') });
    document.body.append(/** @type {HTMLElement} */ (toasts));
  }
  const item = h('div', { class: `toast ${kind}`, role: kind === 'error' ? 'alert' : 'status' },
    icon(kind === 'error' ? 'warning' : 'info'), h('span', { class: 'grow' }, coded(text)));
  let timer = 0;
  const end = () => {
    clearTimeout(timer);
    item.remove();
    options.onend?.();
  };
  const start = () => { timer = setTimeout(end, seconds * 1000); };
  if (action) {
    item.append(h('button', {
      type: 'button', class: 'button', onclick: () => { options.onend = undefined; end(); action[1](); },
    }, action[0]));
  }
  item.append(button('close', t('close'), end));
  item.addEventListener('pointerenter', () => clearTimeout(timer));
  item.addEventListener('pointerleave', start);
  item.addEventListener('focusin', () => clearTimeout(timer));
  item.addEventListener('focusout', start);
  /** @type {HTMLElement} */ (toasts).append(item);
  start();
}

/**
 * Shows an error's message.
 * @param {unknown} error
 */
export function tell(error) {
  toast(error instanceof Error ? error.message : String(error), { kind: 'error', seconds: 12 });
}

/**
 * Opens a modal dialog; it is removed when it closes, and the focus goes back to where it was.
 * @param {string} title
 * @param {(close: () => void) => (Child | Child[])} content
 * @param {{class?: string, onclose?: () => void}} [options]
 * @returns {HTMLDialogElement}
 */
export function dialog(title, content, options = {}) {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const before = document.activeElement;
  const element = h('dialog', { class: `dialog ${options.class ?? ''}`, 'aria-labelledby': id });
  const close = () => element.close();
  fill(element, h('div', { class: 'dialog-head' },
    h('h2', { id }, title), button('close', t('close'), close)), content(close));
  element.addEventListener('close', () => {
    element.remove();
    options.onclose?.();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  element.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    if (event.target === element) close();
  });
  document.body.append(element);
  element.showModal();
  return element;
}

/**
 * Asks for confirmation before an action that can't be undone.
 * @param {string} title
 * @param {string} text
 * @param {string} verb
 * @returns {Promise<boolean>}
 */
export function confirm(title, text, verb) {
  return new Promise((resolve) => {
    let answer = false;
    dialog(title, (close) => [
      h('p', {}, text),
      h('div', { class: 'dialog-foot' },
        h('button', { type: 'button', class: 'button', onclick: close }, t('cancel')),
        h('button', {
          type: 'button', class: 'button danger', onclick: () => { answer = true; close(); },
        }, verb)),
    ], { onclose: () => resolve(answer) });
  });
}

/**
 * Opens a menu below a button.
 * @param {HTMLElement} anchor
 * @param {({icon?: string, label: string, action: () => void, checked?: boolean, danger?: boolean} | null)[]} items
 */
export function menu(anchor, items) {
  document.querySelector('.menu')?.dispatchEvent(new Event('dismiss'));
  const isChoice = items.some((item) => item?.checked !== undefined);
  const list = h('div', { class: 'menu', role: 'menu' });
  for (const item of items) {
    if (!item) {
      list.append(h('hr', { role: 'separator' }));
      continue;
    }
    list.append(h('button', {
      type: 'button', role: isChoice ? 'menuitemradio' : 'menuitem', class: item.danger ? 'danger' : '',
      'aria-checked': isChoice ? String(!!item.checked) : null, tabindex: -1,
      onclick: () => { close(); item.action(); },
    }, isChoice ? icon(item.checked ? 'check' : 'blank') : item.icon && icon(item.icon), h('span', {}, item.label)));
  }
  const close = () => {
    list.remove();
    anchor.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside, true);
    anchor.focus();
  };
  /** @param {Event} event */
  const outside = (event) => { if (!list.contains(/** @type {Node} */ (event.target))) close(); };
  list.addEventListener('dismiss', close);
  list.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const buttons = [...list.querySelectorAll('button')];
    const at = buttons.indexOf(/** @type {any} */ (document.activeElement));
    const moves = /** @type {Record<string, number>} */ ({ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 });
    event.stopPropagation();
    if (event.key in moves) buttons.at(moves[event.key] % buttons.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
  });
  (anchor.closest('dialog, .player') ?? document.body).append(list);
  anchor.setAttribute('aria-expanded', 'true');
  const place = anchor.getBoundingClientRect();
  const size = list.getBoundingClientRect();
  const left = Math.min(Math.max(8, place.right - size.width), innerWidth - size.width - 8);
  const isBelow = place.bottom + size.height + 8 < innerHeight;
  list.style.left = `${Math.max(8, left)}px`;
  list.style.top = `${isBelow ? place.bottom + 4 : Math.max(8, place.top - size.height - 4)}px`;
  setTimeout(() => document.addEventListener('pointerdown', outside, true));
  (list.querySelector('[aria-checked=true]') ?? list.querySelector('button'))?.focus();
}

/**
 * Copies a text; where the page may not, it selects it in a dialog.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('copied'));
  } catch {
    dialog(t('copyByHand'), () => {
      const field = h('input', { type: 'text', readonly: true, value: text, 'aria-label': t('address'), class: 'wide' });
      setTimeout(() => field.select());
      return field;
    });
  }
}

/**
 * A field of a form: its label, its control and a hint.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  const id = control.id || `field-${Math.random().toString(36).slice(2)}`;
  control.id = id;
  if (hint) control.setAttribute('aria-describedby', `${id}-hint`);
  return h('div', { class: 'field' },
    h('label', { for: id }, label), control, hint && h('p', { id: `${id}-hint`, class: 'hint' }, hint));
}

/**
 * A box to tick with its label.
 * @param {string} label
 * @param {Record<string, any>} attributes
 */
export function tick(label, attributes = {}) {
  return h('label', { class: 'tick' }, h('input', { type: 'checkbox', ...attributes }), h('span', {}, label));
}

/**
 * The placeholder of an empty view.
 * @param {string} name the icon
 * @param {string} title
 * @param {string} text
 * @param {...Child} actions
 */
export function empty(name, title, text, ...actions) {
  return h('div', { class: 'empty' }, icon(name), h('h2', {}, title), h('p', {}, coded(text)), h('div', { class: 'row center' }, ...actions));
}

/**
 * The picture of a text's QR code, which the server makes.
 * @param {string} text
 * @param {string} label
 */
export const qrPicture = (text, label) => h('img', { class: 'qr', alt: label, src: `${ROOT}app/qr.svg?text=${encodeURIComponent(text)}`, width: 320, height: 320 });

/**
 * Whether only this machine can reach an address.
 * @param {string} url
 */
export const isLocal = (url) => /^(127\.|localhost$|\[::1\])/.test(new URL(url).hostname);

/**
 * A text in which the searched word is marked.
 * @param {string} text
 * @param {string} needle
 */
export function marked(text, needle) {
  const at = text.toLocaleLowerCase().indexOf(needle.toLocaleLowerCase());
  if (at < 0) return [text];
  return [text.slice(0, at), h('mark', {}, text.slice(at, at + needle.length)), text.slice(at + needle.length)];
}
