// @ts-check
/** The frame around all views: header, navigation, and everything that all views share. */

import { Problem, kept } from './api.js';
import { announce, button, dialog, h, icon, ROOT, toast } from './dom.js';
import { signIn, tidyAddress } from './signin.js';
import { isTroubled } from './status.js';
import { store } from './store.js';
import { appearance, t } from './texts.js';

/** Milliseconds for which a lost connection is not reported. */
const PATIENCE = 1500;
const page = document.documentElement.dataset.page;
const main = /** @type {HTMLElement} */ (document.getElementById('main'));
/** @param {string} [text] */
const add = async (text) => (await import('./add.js')).openAdd(text);

/** @typedef {{show: (main: HTMLElement) => void, hide: () => void, draw: () => void}} View */
/** @type {View | null} */
let view = null;
/** @type {import('./library.js').LibraryView | null} */
let library = null;
/**
 * The views by their names in the address, with the scripts that a page reads when it needs them.
 * @type {Record<string, (rest: string) => Promise<View>>}
 */
const VIEWS = {
  '': async () => (library ??= new (await import('./library.js')).LibraryView(() => add())),
  downloads: async () => new (await import('./downloads.js')).DownloadsView(() => add()),
  settings: async (rest) => new (await import('./settings.js')).SettingsView(rest),
  asset: async (rest) => new (await import('./asset.js')).AssetView(rest),
};
/**
 * The scroll position of each view.
 * @type {Map<string, number>}
 */
const places = new Map();
let place = '';

const count = h('span', { class: 'count-badge', hidden: true });
const connection = h('p', { class: 'connection', role: 'status', hidden: true });
const links = [['', 'library', 'library'], ['downloads', 'download', 'downloads'], ['settings', 'settings', 'settings']].map(([hash, name, text]) => h('a', { href: `${ROOT}#${hash}`, 'data-view': hash },
  icon(name), h('span', {}, t(text)), hash === 'downloads' && count));

/** Shows the view that the address names. */
async function route() {
  const hash = decodeURIComponent(location.hash.slice(1));
  const [name, rest] = [hash.split('/')[0], hash.split('/').slice(1).join('/')];
  places.set(place, scrollY);
  place = hash;
  const next = await VIEWS[Object.hasOwn(VIEWS, name) && (name !== 'asset' || rest) ? name : ''](rest);
  // The user has gone to another view in the meantime.
  if (place !== hash) return;
  const isFirst = !view;
  view?.hide();
  view = next;
  document.title = `${t(name === 'downloads' || name === 'settings' ? name : 'library')} – offline-server`;
  for (const link of links) link.toggleAttribute('aria-current', link.dataset.view === (name === 'asset' ? '' : name));
  for (const link of links) if (link.hasAttribute('aria-current')) link.setAttribute('aria-current', 'page');
  document.body.classList.remove('selecting');
  main.className = `view view-${name || 'library'}`;
  view.show(main);
  scrollTo({ top: places.get(hash) ?? 0 });
  if (isFirst) return;
  announce(document.title.split(' – ')[0]);
  // A link or a menu of the last view had the focus, and is gone.
  if (document.activeElement === document.body) { main.tabIndex = -1; main.focus({ preventScroll: true }); }
}

function drawHead() {
  const active = store.list().filter((asset) => ['downloading', 'resolving', 'queued'].includes(asset.state)).length;
  const bad = store.list().filter((asset) => asset.state === 'failed' && isTroubled(asset)).length;
  count.hidden = !active && !bad;
  count.className = `count-badge${bad ? ' bad' : ''}`;
  count.textContent = String(bad || active);
  count.title = bad ? t('failedN', { n: bad }) : t('activeN', { n: active });
  drawConnection();
}

/** The time at which the connection was lost, in milliseconds; 0 while connected. */
let lost = 0;

/** Says that the server is away, when it has been for a moment: each page begins without a connection. */
function drawConnection() {
  const isLost = (store.failure || store.isLoaded && !store.isConnected) && !document.hidden;
  lost = isLost ? lost || Date.now() : 0;
  const left = isLost ? lost + PATIENCE - Date.now() : 0;
  if (left > 0) setTimeout(drawConnection, left);
  const isShown = isLost && left <= 0;
  connection.hidden = !isShown;
  // A text that stays is not said again.
  const text = isShown ? t('reconnecting') : '';
  if (connection.textContent !== text) connection.textContent = text;
}

function frame() {
  // Removes the header of the page as the server sent it.
  document.querySelector('.head')?.remove();
  document.body.prepend(
    h('a', { class: 'skip', href: '#main', onclick: (/** @type {Event} */ event) => { event.preventDefault(); main.tabIndex = -1; main.focus(); } }, t('skip')),
    h('header', { class: 'head' },
      h('a', { class: 'brand', href: `${ROOT}#`, 'aria-label': t('brand') }, h('span', { class: 'mark', 'aria-hidden': 'true' }, icon('mark')), h('span', {}, 'offline', h('b', {}, 'server'))),
      h('nav', { class: 'views', 'aria-label': t('views') }, links),
      h('span', { class: 'grow' }),
      button('add', t('addStream'), () => add(), { text: true, class: 'button primary add-button', 'aria-keyshortcuts': 'n' })),
    connection);
}

/**
 * Undoes the last action, while that is offered.
 * @param {Event} event
 */
function undo(event) {
  const offers = document.querySelectorAll('.toast > .button:not(.bare)');
  if (!offers.length) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (offers[offers.length - 1]).click();
}

/**
 * Keys of all views but the player's.
 * @param {KeyboardEvent} event
 */
function key(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const isWriting = target.matches('input:not([type=checkbox], [type=radio]), textarea, select');
  if (event.key === 'Escape' && view === library && target.id !== 'search') { library?.unselect(); return; }
  if (event.key === 'Escape' && target.id === 'search') { target.blur(); return; }
  if ((event.ctrlKey || event.metaKey) && event.key === 'a' && view === library && !isWriting && !document.querySelector('dialog[open]')) { event.preventDefault(); library?.selectAll(); return; }
  if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !isWriting) { undo(event); return; }
  if (isWriting || event.ctrlKey || event.metaKey || event.altKey || !kept('keys', true) || document.querySelector('dialog[open], .menu')) return;
  const actions = /** @type {Record<string, () => void>} */ ({
    '/': () => { if (view !== library) location.hash = ''; setTimeout(() => document.getElementById('search')?.focus()); },
    n: () => add(), g: () => { location.hash = ''; }, d: () => { location.hash = 'downloads'; }, ',': () => { location.hash = 'settings'; }, '?': sheet,
  });
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

function sheet() {
  dialog(t('keysSheet'), () => [h('table', { class: 'keys' }, h('tbody', {}, [['/', 'search'], ['n', 'add'], ['g', 'library'], ['d', 'downloads'], [',', 'settings'], [t('k_arrows'), 'walk'], ['x', 'pick'], [t('k_all'), 'all'], [t('k_delete'), 'delete'], [t('k_undo'), 'undo'], ['Esc', 'escape'], ['?', 'sheet']].map(([name, text]) => h('tr', {}, h('th', { scope: 'row' }, h('kbd', {}, name)), h('td', {}, t(`lib_${text}`)))))), h('p', { class: 'muted' }, t('keysOff'))], { class: 'narrow' });
}

/** Loads the modules that the first picture did not need, before the server may become unreachable. */
async function rest() {
  try {
    await new Promise((done) => setTimeout(done, 100));
    (await import('./add.js')).receiveStreams();
    await Promise.all([import('./asset.js'), import('./downloads.js'), import('./settings.js')]);
  } catch { /* who asks for it is told */ }
}

appearance();
store.addEventListener('change', drawHead);
store.addEventListener('connection', drawConnection);
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof Error && event.reason.name !== 'AbortError') toast(event.reason.message, { kind: 'error' });
  // The person was told what the server answered; nothing is wrong with the script.
  if (event.reason instanceof Problem) event.preventDefault();
});
Reflect.set(window, 'assetStore', store);
if (page === 'signin') {
  document.title = `${t('signIn')} – offline-server`;
  signIn(main);
} else if (page === 'watch') {
  tidyAddress();
  frame();
  main.className = 'view view-watch';
  const { watch } = await import('./watch.js');
  const shown = watch(main);
  // The first picture does not wait for the list of all assets, unless the row of assets to play comes from the list.
  if (!location.hash.includes('row=')) await Promise.race([shown, new Promise((done) => setTimeout(done, 3000))]);
  store.start();
} else {
  tidyAddress();
  frame();
  addEventListener('hashchange', route);
  document.addEventListener('keydown', key);
  store.addEventListener('change', () => { view?.draw(); });
  store.start();
  await route();
  rest();
  const asked = new URLSearchParams(location.search);
  const shared = asked.get('add') ?? asked.get('url') ?? asked.get('text');
  if (shared) {
    history.replaceState(null, '', location.pathname + location.hash);
    add(shared);
  }
}
