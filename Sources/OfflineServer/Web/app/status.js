// @ts-check
/** The state of an asset in words, and the actions that it permits. */

import { ask, control, playlistURL } from './api.js';
import { button, confirm, copy, dialog, field, h, icon, tell, toast } from './dom.js';
import { store } from './store.js';
import { bytes, clock, date, percent, rate, relative, remaining, sentence, t, has } from './texts.js';

/** @typedef {any} Asset */

/**
 * Whether the asset is in progress or waits.
 * @param {Asset} asset
 */
export const isActive = (asset) => ['resolving', 'queued', 'downloading'].includes(asset.state);

/**
 * Whether the asset has a problem.
 * @param {Asset} asset
 */
export const isTroubled = (asset) => asset.state === 'failed' || asset.health === 'damaged'
  || (asset.state === 'complete' && asset.health === 'incomplete')
  || ['expired', 'revoked', 'missing'].includes(asset.license?.state) && asset.state === 'complete';

/**
 * The state of an asset, in a word and in a sentence.
 * @param {Asset} asset
 * @returns {{kind: 'good' | 'busy' | 'wait' | 'bad' | 'warn', word: string, detail: string}}
 */
export function status(asset) {
  const share = percent(asset.progress ?? 0);
  const activity = asset.activity?.doing;
  switch (asset.state) {
    case 'downloading': {
      if (activity === 'retrying' || activity === 'waiting') {
        const next = asset.activity.next_try_at;
        return { kind: 'warn', word: t('retrying'), detail: [share, t('lastError', { text: asset.activity.last_error?.message ?? '' }), next && t('nextTry', { when: relative(next) })].filter(Boolean).join(' · ') };
      }
      if (asset.recording) return { kind: 'busy', word: t('recording'), detail: bytes(asset.bytes?.stored ?? 0) };
      return { kind: 'busy', word: t('downloading'), detail: [share, asset.speed ? rate(asset.speed) : null, asset.eta ? t('left', { time: remaining(asset.eta) }) : null].filter(Boolean).join(' · ') };
    }
    case 'resolving': return { kind: 'busy', word: t('resolving'), detail: t('resolvingLong') };
    case 'queued': {
      const until = asset.waits_until ? ` · ${t('nextTry', { when: relative(asset.waits_until) })}` : '';
      return { kind: asset.reason === 'slot' ? 'wait' : 'warn', word: t('queued'), detail: reason(asset.reason) + until };
    }
    case 'paused': return { kind: 'wait', word: t('paused'), detail: [share, reason(asset.reason)].filter(Boolean).join(' · ') };
    case 'cancelled': return { kind: 'wait', word: t('cancelled'), detail: share };
    case 'failed': {
      const next = asset.activity?.next_try_at ? ` ${t('nextTry', { when: relative(asset.activity.next_try_at) })}.` : '';
      return { kind: 'bad', word: t('failedState'), detail: sentence(asset.error?.message ?? reason(asset.reason)) + next };
    }
    default: {
      if (['expired', 'revoked', 'missing'].includes(asset.license?.state)) {
        return { kind: 'bad', word: t(`license_${asset.license.state}`), detail: '' };
      }
      if (asset.health === 'damaged') return { kind: 'bad', word: t('damaged'), detail: t('damagedLong') };
      if (asset.health === 'incomplete') return { kind: 'warn', word: t('incomplete'), detail: t('incompleteLong') };
      return { kind: 'good', word: t('complete'), detail: '' };
    }
  }
}

/**
 * A wait's reason for people.
 * @param {string | null} name
 */
export const reason = (name) => (!name ? '' : has(`reason_${name}`) ? t(`reason_${name}`) : name);

/**
 * The line below an asset's name.
 * @param {Asset} asset
 */
export function facts(asset) {
  const state = status(asset);
  const size = bytes(asset.bytes?.stored || asset.bytes?.expected || 0);
  if (state.kind === 'good') {
    const seen = asset.watched ? t('watched') : asset.position > 5 ? t('left', { time: remaining(Math.max(0, asset.duration - asset.position)) }) : null;
    return [clock(asset.duration), size, seen].filter(Boolean).join(' · ');
  }
  return [state.word, state.detail].filter(Boolean).join(' · ');
}

/**
 * A bar of progress with its name.
 * @param {Asset} asset
 */
export function bar(asset) {
  return h('progress', { max: 1, value: asset.progress ?? 0, 'aria-label': t('progressOf', { name: asset.name }), class: status(asset).kind });
}

/**
 * Carries out an action; shows the error if it fails.
 * @param {() => Promise<any>} work
 * @param {string} [done] the message after success
 */
export async function attempt(work, done) {
  try {
    const answer = await work();
    if (done) toast(done);
    store.refresh();
    return answer ?? true;
  } catch (error) {
    tell(error);
    return null;
  }
}

/**
 * @param {string} action
 * @param {Asset[]} assets
 * @param {Record<string, any>} [more]
 */
export const act = (action, assets, more) => attempt(() => control(action, assets.map((asset) => asset.token), more));

/**
 * The address of an asset in the API.
 * @param {Asset} asset
 * @param {string} [rest]
 */
const at = (asset, rest = '') => `assets/${asset.token}${rest}`;

/**
 * Every stored byte is read again.
 * @param {Asset} asset
 */
export const verify = (asset) => attempt(async () => {
  toast(t('verifying'));
  const report = await ask('POST', at(asset, '/verify'), {});
  toast(report.sound ? t('verifiedSound', { n: report.checked }) : t('verifiedBad', { n: report.damaged.length + report.missing.length }), { kind: report.sound ? 'info' : 'error' });
});

/** @param {Asset} asset */
export const repair = (asset) => attempt(() => ask('POST', at(asset, '/repair'), {}), t('repairing'));

/**
 * Reports a change and offers to undo it.
 * @param {string} text
 * @param {() => Promise<any>} back
 */
const undoable = (text, back) => toast(text, { seconds: 12, action: [t('undo'), () => attempt(back, t('undone'))] });

/**
 * Changes a member of assets, each to a value of its own. The change can be undone until another client changes it.
 * @param {string} text the message after success
 * @param {string} member
 * @param {{asset: Asset, to: any, from: any}[]} changes
 */
async function edit(text, member, changes) {
  const same = (/** @type {any} */ one, /** @type {any} */ other) => JSON.stringify(one) === JSON.stringify(other);
  const done = changes.filter(({ from, to }) => !same(from, to));
  const answers = await Promise.all(done.map(({ asset, to }) => ask('PATCH', at(asset), { [member]: to })));
  if (!done.length) return;
  undoable(text, async () => {
    const now = await Promise.all(done.map(({ asset }) => ask('GET', at(asset))));
    if (now.some((asset, index) => !same(asset[member], answers[index][member]))) throw new Error(t('changedSince'));
    await Promise.all(done.map(({ asset, from }) => ask('PATCH', at(asset), { [member]: from })));
  });
}

/**
 * A dialog with a form and a button that carries out an action.
 * @param {string} title
 * @param {any[]} content
 * @param {string} verb
 * @param {() => Promise<any>} work
 */
export function form(title, content, verb, work) {
  const message = h('p', { class: 'error', role: 'alert' });
  return dialog(title, (close) => h('form', {
    onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      message.textContent = '';
      try {
        await work();
        store.refresh();
        close();
      } catch (error) {
        message.textContent = /** @type {Error} */ (error).message;
      }
    },
  }, content, message, h('div', { class: 'dialog-foot' },
    h('button', { type: 'button', class: 'button', onclick: close }, t('cancel')),
    h('button', { type: 'submit', class: 'button primary' }, verb))));
}

/**
 * A fresh address of the same stream.
 * @param {Asset} asset
 */
export function relink(asset) {
  const url = h('input', { type: 'url', required: true, class: 'wide', placeholder: asset.source_url });
  form(t('relink'), [h('p', {}, t('relinkLong')), field(t('address'), url)], t('relink'),
    () => ask('POST', at(asset, '/relink'), { url: url.value.trim() }));
}

/**
 * Header fields and cookies for the origin.
 * @param {Asset} asset
 */
export function access(asset) {
  const headers = h('textarea', { rows: 3, class: 'wide', placeholder: 'Authorization: Bearer …', spellcheck: 'false' });
  const cookies = h('textarea', { rows: 2, class: 'wide', spellcheck: 'false' });
  form(t('changeAccess'), [h('p', {}, t('changeAccessLong')), field(t('headers'), headers, t('headersHint')), field(t('cookies'), cookies, t('cookiesHint'))],
    t('save'), () => ask('PATCH', at(asset), { headers: lines(headers.value), ...(cookies.value.trim() ? { cookies: cookies.value } : {}) }));
}

/**
 * The lines of a text that are not empty.
 * @param {string} text
 */
export const lines = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);

/** @param {Asset} asset */
export function addKey(asset) {
  const key = h('input', { type: 'text', required: true, class: 'wide', placeholder: 'ID:KEY', spellcheck: 'false', autocomplete: 'off' });
  form(t('addKey'), [field(t('key'), key, t('keyHint'))], t('addKey'), () => ask('POST', at(asset, '/keys'), { key: key.value.trim() }));
}

/** @param {Asset} asset */
export function renew(asset) {
  const rental = h('input', { type: 'text', placeholder: '30d', pattern: '[0-9]+[smhdw]?' });
  form(t('renew'), [h('p', {}, t('renewLong')), field(t('rental'), rental, t('rentalHint'))], t('renew'),
    () => ask('POST', at(asset, '/license'), rental.value ? { rental: rental.value } : {}));
}

/** @param {Asset[]} assets */
export function editTags(assets) {
  const known = [...new Set(store.list().flatMap((asset) => asset.tags ?? []))].sort();
  const own = [...new Set(assets.flatMap((asset) => asset.tags ?? []))];
  const text = h('input', { type: 'text', class: 'wide', value: own.join(', '), list: 'known-tags' });
  form(t('tags'), [field(t('tags'), text, t('tagsHint')), h('datalist', { id: 'known-tags' }, known.map((tag) => h('option', { value: tag })))],
    t('save'), () => {
      const tags = text.value.split(',').map((/** @type {string} */ tag) => tag.trim()).filter(Boolean);
      const removed = own.filter((tag) => !tags.includes(tag));
      return edit(t('tagsSaved'), 'tags', assets.map((asset) => {
        const from = (store.assets.get(asset.token) ?? asset).tags ?? [];
        return { asset, from, to: assets.length === 1 ? tags : [...new Set([...from.filter((/** @type {string} */ tag) => !removed.includes(tag)), ...tags])] };
      }));
    });
}

/** @param {Asset} asset */
export function rename(asset) {
  const name = h('input', { type: 'text', required: true, class: 'wide', value: asset.name });
  form(t('rename'), [field(t('name'), name)], t('save'), () => {
    const to = name.value.trim();
    return edit(t('renamedTo', { name: to }), 'name', [{ asset, to, from: (store.assets.get(asset.token) ?? asset).name }]);
  });
}

/** The longest side of a picture to send, and the largest number of its bytes that fit into a request. */
const [WIDEST, LARGEST] = [1280, 700_000];

/**
 * The poster of an asset as a `data:` URL; empty without one, `null` if it is too large to be sent back.
 * @param {Asset} asset
 * @returns {Promise<string | null>}
 */
async function pictureOf(asset) {
  if (!(await ask('GET', at(asset))).poster) return '';
  const blob = await fetch(store.poster(asset.token), { cache: 'no-cache' }).then((response) => (response.ok ? response.blob() : null)).catch(() => null);
  if (!blob || blob.size > LARGEST) return null;
  const reader = new FileReader();
  return new Promise((done) => { reader.onload = () => done(/** @type {string} */ (reader.result)); reader.readAsDataURL(blob); });
}

/**
 * A picture as a `data:` URL, no larger than a page shows it.
 * @param {Blob} file
 */
async function shrunk(file) {
  const picture = await createImageBitmap(file).catch(() => { throw new Error(t('noPicture')); });
  const scale = Math.min(1, WIDEST / Math.max(picture.width, picture.height));
  const canvas = h('canvas', { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
  canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', 0.85);
}

/** @param {Asset} asset */
export function editPoster(asset) {
  const file = h('input', { type: 'file', accept: 'image/jpeg,image/png,image/webp' });
  const url = h('input', { type: 'url', class: 'wide', placeholder: 'https://…/poster.jpg' });
  form(t('poster'), [field(t('posterFile'), file), field(t('posterURL'), url), asset.poster && h('p', { class: 'hint' }, t('posterNone'))], t('save'), async () => {
    const artwork = file.files[0] ? await shrunk(file.files[0]) : url.value.trim();
    const before = await pictureOf(asset);
    const set = async (/** @type {string} */ picture) => { await ask('PATCH', at(asset), { artwork: picture }); store.touched(asset.token); };
    await set(artwork);
    if (before === null) toast(t('pictureSaved')); else undoable(t('pictureSaved'), () => set(before));
  });
}

/** @param {Asset} asset */
export async function cancel(asset) {
  if (await confirm(t('cancelDownload'), t('cancelLong', { name: asset.name }), t('cancelDownload'))) await act('cancel', [asset]);
}

/**
 * The buttons that solve an asset's problem, the most likely first.
 * @param {Asset} asset the summary, or the whole object, which has more details in its problems
 * @returns {HTMLElement[]}
 */
export function mending(asset) {
  const retry = () => button('retry', t('retry'), () => act('resume', [asset]), { text: true });
  const ways = /** @type {Record<string, () => HTMLElement>} */ ({
    resume: retry,
    repair: () => button('repair', t('repair'), () => repair(asset), { text: true }),
    relink: () => button('link', t('relink'), () => relink(asset), { text: true }),
    'license-renew': () => button('license', t('renew'), () => renew(asset), { text: true }),
    'add-key': () => button('key', t('addKey'), () => addKey(asset), { text: true }),
    access: () => button('lock', t('changeAccess'), () => access(asset), { text: true }),
    storage: () => h('a', { class: 'button', href: '#settings/storage' }, icon('storage'), h('span', {}, t('storage'))),
  });
  const found = new Set();
  for (const problem of asset.problems ?? []) if (problem.advice !== 'none') found.add(problem.advice);
  if (['expired', 'revoked'].includes(asset.license?.state)) found.add('license-renew');
  if (asset.license?.state === 'missing') { found.add('license-renew'); found.add('add-key'); }
  if (asset.state === 'failed') {
    const kind = asset.error?.class;
    for (const way of /** @type {Record<string, string[]>} */ ({
      http: ['relink', 'resume', 'access'], auth: ['access', 'relink', 'resume'], key: ['resume', 'add-key', 'access'],
      disk: ['storage', 'resume'], integrity: ['repair', 'relink'], parse: ['resume', 'relink'],
    })[kind] ?? ['resume', 'relink']) found.add(way);
  } else if (asset.health === 'damaged' && !found.size) found.add('repair');
  return [...found].map((way) => ways[way]?.()).filter(Boolean);
}

/**
 * Marks an asset as watched, or as not begun.
 * @param {Asset} asset
 */
async function markWatched(asset) {
  const set = async (/** @type {number} */ position, /** @type {boolean} */ watched) => {
    const answer = await ask('PUT', at(asset, '/position'), { position, watched });
    store.set(asset.token, { position: answer?.position ?? position, watched });
  };
  await set(asset.watched ? 0 : asset.position ?? 0, !asset.watched);
  undoable(t(asset.watched ? 'nowUnwatched' : 'nowWatched'), () => set(asset.position ?? 0, asset.watched));
}

/**
 * The menu of an asset's actions.
 * @param {Asset} asset
 */
export function choices(asset) {
  const watch = asset.state === 'complete';
  return [
    isActive(asset) ? { icon: 'pause', label: t('pause'), action: () => act('pause', [asset]) } : null,
    ['paused', 'cancelled', 'failed'].includes(asset.state) ? { icon: 'resume', label: t(asset.state === 'failed' ? 'retry' : 'resume'), action: () => act('resume', [asset]) } : null,
    isActive(asset) || asset.state === 'paused' ? { icon: 'stop', label: t('cancelDownload'), action: () => cancel(asset) } : null,
    { icon: 'info', label: t('details'), action: () => { location.hash = `asset/${asset.token}`; } },
    { icon: 'copy', label: t('copyAddress'), action: () => copy(playlistURL(asset.token)) },
    { icon: 'edit', label: t('rename'), action: () => rename(asset) },
    { icon: 'tag', label: t('tags'), action: () => editTags([asset]) },
    { icon: 'picture', label: t('poster'), action: () => editPoster(asset) },
    watch ? { icon: 'check', label: t(asset.watched ? 'markUnwatched' : 'markWatched'), action: () => attempt(() => markWatched(asset)) } : null,
    { icon: 'pin', label: t(asset.pinned ? 'unpin' : 'pin'), action: () => act(asset.pinned ? 'unpin' : 'pin', [asset]) },
    { icon: 'remove', label: t('remove'), danger: true, action: () => store.remove([asset.token]) },
  ].filter((item) => item !== null);
}

/**
 * A date in words, or the word for "never".
 * @param {string | null} value
 */
export const when = (value) => (value ? date(value) : t('never'));

/**
 * A hue of its own for an asset without a picture.
 * @param {string} token
 */
const hue = (token) => [...token.slice(-6)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);

/**
 * The poster of an asset, or a placeholder.
 * @param {Asset} asset
 */
export function cover(asset) {
  const element = h('span', { class: 'cover' });
  if (asset.poster) {
    const picture = h('img', { src: store.poster(asset.token), alt: '', loading: 'lazy', decoding: 'async' });
    picture.addEventListener('error', () => { picture.remove(); blank(element, asset); });
    element.append(picture);
  } else blank(element, asset);
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {Asset} asset
 */
function blank(element, asset) {
  element.classList.add('blank');
  element.style.setProperty('--hue', String(hue(asset.token)));
  const words = asset.name.replace(/[^\p{L}\p{N} ]/gu, ' ').split(/\s+/).filter(Boolean);
  element.append(h('span', { class: 'initials', 'aria-hidden': 'true' }, words.slice(0, 2).map((/** @type {string} */ word) => [...word][0]).join('').toUpperCase() || '·'));
}
