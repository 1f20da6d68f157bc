// @ts-check
/** The page of one asset: problems, tracks, license, storage, and addresses for players. */

import { ask, playlistURL } from './api.js';
import { button, coded, copy, dialog, empty, h, icon, isLocal, menu, qrPicture, replace, ROOT, tell } from './dom.js';
import { act, addKey, attempt, bar, choices, cover, editPoster, editTags, form, isActive, mending, rename, renew, repair, status, verify, when } from './status.js';
import { store } from './store.js';
import { bitrate, bytes, clock, date, languageName, percent, sentence, t, has } from './texts.js';

/** @typedef {any} Asset */

/**
 * A list of names with values; unknown values are left out.
 * @param {[string, any][]} pairs
 */
const properties = (pairs) => h('dl', { class: 'properties' }, pairs.filter(([, value]) => value !== null && value !== undefined && value !== '').map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));

/**
 * The parts of an asset for which its page is redrawn; others change with every event.
 * @param {Asset} a
 */
const drawnKey = (a) => JSON.stringify([a.name, a.tags, a.poster, store.poster(a.token), a.health, a.problems, a.license, a.renditions.map((/** @type {any} */ r) => [r.id, r.complete, r.error]), a.state, a.left_out]);

export class AssetView {
  #drawn = '';
  /** @type {Asset | null} */
  #asset = null;
  #timer = 0;
  #onAsset = (/** @type {any} */ event) => { if (event.detail === this.token) this.#later(); };
  /** @type {HTMLElement | null} */
  #main = null;
  #live = h('div', {});
  /** @param {string} token */
  constructor(token) { this.token = token; }

  /** @param {HTMLElement} main */
  show(main) {
    this.#main = main;
    store.addEventListener('asset', this.#onAsset);
    replace(main, h('div', { class: 'skeleton tall', 'aria-hidden': 'true' }));
    this.#load();
  }

  hide() { store.removeEventListener('asset', this.#onAsset); clearTimeout(this.#timer); }

  #later() {
    if (!this.#timer) this.#timer = setTimeout(() => { this.#timer = 0; this.#load(); }, 700);
    const summary = store.assets.get(this.token);
    if (summary && this.#asset) { this.#asset = { ...this.#asset, ...summary }; this.#drawLive(); }
  }

  async #load() {
    try {
      const asset = await ask('GET', `assets/${this.token}`);
      const key = drawnKey(asset);
      const isOther = key !== this.#drawn;
      this.#drawn = key;
      this.#asset = asset;
      if (isOther) await this.#draw();
      else this.#drawLive();
    } catch (error) {
      if (!this.#main || this.#asset) return;
      replace(this.#main, empty('warning', t('noAsset'), /** @type {Error} */ (error).message, h('a', { class: 'button', href: '#' }, t('toLibrary'))));
    }
  }

  draw() { if (this.#asset && store.isLoaded && !store.assets.has(this.token)) location.hash = ''; }

  #drawLive() {
    const asset = /** @type {Asset} */ (this.#asset);
    const state = status(asset);
    const isBusy = isActive(asset) || asset.state === 'paused';
    const focus = /** @type {any} */ (document.activeElement)?.dataset?.name;
    replace(this.#live,
      h('p', { class: `state ${state.kind}` }, icon(state.kind === 'good' ? 'check' : state.kind === 'busy' ? 'download' : 'warning'), h('span', {}, [state.word, state.detail].filter(Boolean).join(' · '))),
      isBusy && bar(asset),
      h('div', { class: 'row wrap' },
        (asset.state !== 'failed' || asset.bytes.stored > 0) && h('a', { class: 'button primary', href: `${ROOT}watch/${asset.token}`, 'data-name': 'play' }, icon('play'), h('span', {}, asset.position > 5 && !asset.watched ? t('goOn', { time: clock(asset.position) }) : t('play'))),
        isActive(asset) && button('pause', t('pause'), () => act('pause', [asset]), { text: true, 'data-name': 'toggle' }),
        ['paused', 'cancelled'].includes(asset.state) && button('resume', t('resume'), () => act('resume', [asset]), { text: true, 'data-name': 'toggle' }),
        mending(asset),
        this.#menu(asset)));
    if (focus) /** @type {any} */ (this.#live.querySelector(`[data-name=${focus}]`))?.focus();
  }

  /** @param {Asset} asset */
  #menu(asset) {
    const more = button('more', t('moreOf', { name: asset.name }), () => menu(more, choices(asset)), { 'data-name': 'more', 'aria-haspopup': 'menu' });
    return more;
  }

  async #draw() {
    const asset = /** @type {Asset} */ (this.#asset);
    const [keys, plays, license] = await Promise.all([
      asset.license.state === 'none' ? null : ask('GET', `assets/${asset.token}/keys`).catch(() => null),
      ask('GET', `assets/${asset.token}/plays`).catch(() => ({ plays: [] })),
      asset.license.state === 'none' ? null : ask('GET', `assets/${asset.token}/license`).catch(() => null),
    ]);
    if (!this.#main) return;
    document.title = `${asset.name} – offline-server`;
    const scroll = scrollY;
    replace(this.#main,
      h('nav', { class: 'crumbs', 'aria-label': t('breadcrumbs') }, h('a', { href: '#' }, icon('back'), h('span', {}, t('library')))),
      h('article', { class: 'asset' },
        h('header', { class: 'asset-head' }, h('a', { class: 'asset-cover', href: `${ROOT}watch/${asset.token}`, tabindex: -1, 'aria-hidden': 'true' }, cover(asset)),
          h('div', { class: 'grow' },
            h('div', { class: 'row' }, h('h1', { class: 'grow' }, asset.name), button('edit', t('rename'), () => rename(asset)), button('picture', t('poster'), () => editPoster(asset))),
            h('p', { class: 'muted' }, [clock(asset.duration), bytes(asset.bytes.stored), t('addedOn', { date: date(asset.requested_at) })].join(' · ')),
            h('div', { class: 'row wrap tags' }, asset.tags.map((/** @type {string} */ tag) => h('span', { class: 'tag' }, tag)), button('tag', t('editTags'), () => editTags([asset]), { text: true, class: 'button small' })),
            this.#live)),
        this.#problems(asset), this.#tracks(asset), this.#addresses(asset), this.#license(asset, keys, license),
        this.#storage(asset), this.#plays(plays.plays), this.#origin(asset)));
    this.#drawLive();
    scrollTo({ top: scroll });
  }

  /**
   * @param {string} title
   * @param {any[]} content
   */
  #section(title, ...content) { return h('section', { class: 'panel' }, h('h2', {}, title), content); }

  /** @param {Asset} asset */
  #problems(asset) {
    const items = [...asset.problems.map((/** @type {any} */ problem) => problem.detail), ...asset.lost,
      ...asset.left_out.map((/** @type {any} */ item) => t('leftOut', { kind: item.kind, wanted: item.wanted, offered: item.offered.join(', ') || '–' }))];
    if (asset.error && !items.includes(asset.error.message)) items.unshift(asset.error.message);
    if (!items.length) return null;
    const kind = asset.state === 'failed' || asset.health === 'damaged' ? 'bad' : 'warn';
    return h('section', { class: `panel note-panel ${kind}` }, h('h2', {}, t('problems')), h('ul', { class: 'plain-list' }, items.map((text) => h('li', {}, icon('warning'), h('span', {}, coded(sentence(text)))))));
  }

  /** @param {Asset} asset */
  #tracks(asset) {
    if (!asset.renditions.length) return null;
    const names = { variant: t('video'), audio: t('audio'), subtitles: t('subtitles'), iframe: t('trickPlay'), images: t('thumbnails') };
    const row = (/** @type {any} */ track) => h('tr', {},
      h('th', { scope: 'row' }, Reflect.get(names, track.type) ?? track.type),
      h('td', { class: track.resolution && 'nowrap' }, track.resolution ? track.resolution.replace('x', ' × ') : [track.language && languageName(track.language), track.name].filter(Boolean).filter((name, index, all) => all.indexOf(name) === index).join(' – ') || '–'),
      h('td', { class: 'end' }, track.bandwidth ? bitrate(track.bandwidth) : ''),
      h('td', { class: 'wide-only' }, track.codecs ?? ''),
      h('td', { class: 'end wide-only' }, bytes(track.bytes)),
      h('td', {}, track.error ? h('span', { class: 'state bad', title: track.error }, icon('warning'), h('span', {}, t('lostTrack')))
        : track.complete ? h('span', { class: 'state good' }, icon('check'), h('span', {}, t('complete')))
          : h('span', { class: 'row' }, h('progress', { max: track.segments || 1, value: track.stored_segments, 'aria-label': t('progress') }), percent(track.segments ? track.stored_segments / track.segments : 0))),
      h('td', {}, asset.renditions.length > 1 && button('remove', t('removeTrack', { name: track.id }), () => this.#removeTrack(track))));
    return this.#section(t('tracks'), h('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': t('tracks') }, h('table', {}, h('thead', {}, h('tr', {}, [t('type'), t('track'), t('bitrate')].map((name) => h('th', { scope: 'col' }, name)),
      h('th', { scope: 'col', class: 'wide-only' }, t('codecs')), h('th', { scope: 'col', class: 'wide-only' }, t('size')), h('th', { scope: 'col' }, t('state')), h('th', { scope: 'col' }, h('span', { class: 'unseen' }, t('actions'))))),
    h('tbody', {}, asset.renditions.map(row)))), h('div', { class: 'row' }, button('add', t('addTracks'), () => this.#addTracks(), { text: true })));
  }

  /** @param {any} track */
  #removeTrack(track) {
    form(t('removeTrack', { name: track.id }), [h('p', {}, t('removeTrackLong'))], t('remove'), async () => { await ask('POST', `assets/${this.token}/tracks`, { remove: [track.id] }); await this.#load(); });
  }

  #addTracks() {
    const audio = h('input', { type: 'text', placeholder: 'en, de' });
    const subtitles = h('input', { type: 'text', placeholder: 'all' });
    const tall = h('input', { type: 'number', min: 1, placeholder: '1080' });
    const file = h('input', { type: 'text', placeholder: 'https://…/film.de.srt' });
    const language = h('input', { type: 'text', placeholder: 'de', size: 5 });
    const names = (/** @type {string} */ text) => (text === 'all' ? 'all' : text.split(',').map((part) => part.trim()).filter(Boolean));
    const line = (/** @type {string} */ label, /** @type {HTMLElement} */ control) => { control.id = `t${label}`; return h('div', { class: 'field' }, h('label', { for: control.id }, label), control); };
    form(t('addTracks'), [h('p', { class: 'muted' }, t('addTracksLong')), line(t('maxHeight'), tall), line(t('audioLanguages'), audio), line(t('subtitleLanguages'), subtitles), line(t('subtitleFile'), file), line(t('language'), language)], t('add'), async () => {
      await ask('POST', `assets/${this.token}/tracks`, {
        ...(tall.value && { max_height: Number(tall.value) }), ...(audio.value && { audio: names(audio.value) }), ...(subtitles.value && { subtitles: names(subtitles.value) }),
        ...(file.value && { subtitle_files: [{ source: file.value, language: language.value || 'und' }] }),
      });
      await this.#load();
    });
  }

  /** @param {Asset} asset */
  #addresses(asset) {
    const url = playlistURL(asset.token);
    const line = (/** @type {string} */ name, /** @type {string} */ text) => h('div', { class: 'copy-line' }, h('span', { class: 'copy-name' }, name), h('code', {}, text), button('copy', t('copyThis', { name }), () => copy(text)));
    return this.#section(t('addresses'), h('p', { class: 'muted' }, t('addressesLong')),
      line('HLS', url), line('mpv', `mpv '${url}'`), line('VLC', `vlc '${url}'`), line('ffmpeg', `ffmpeg -i '${url}' -c copy out.mkv`),
      h('div', { class: 'row wrap' },
        button('qr', t('showQR'), () => dialog(t('scan'), () => [qrPicture(url, t('qrOf', { url })), h('p', { class: 'muted' }, isLocal(url) ? t('qrLocal') : url)]), { text: true }),
        asset.subtitle_languages.map((/** @type {string} */ language) => h('a', { class: 'button', href: `${ROOT}assets/${asset.token}/subtitles/${language}.srt`, download: `${asset.name}.${language}.srt` }, icon('subtitles'), h('span', {}, `SRT ${languageName(language)}`))),
        asset.state === 'complete' && h('a', { class: 'button', href: `${ROOT}assets/${asset.token}/video.mp4`, download: `${asset.name}.mp4`, onclick: (/** @type {Event} */ event) => this.#export(event) }, icon('download'), h('span', {}, t('exportMP4')))));
  }

  /**
   * Says why there is no file before the browser stores an error under the film's name.
   * @param {Event} event
   */
  async #export(event) {
    const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
    if (link.dataset.asked) return;
    event.preventDefault();
    const response = await fetch(link.href, { method: 'HEAD' }).catch(() => null);
    if (response?.ok) { link.dataset.asked = '1'; link.click(); } else tell(t(response?.status === 403 ? 'exportLicense' : 'exportNot'));
  }

  /**
   * @param {Asset} asset
   * @param {any} keys
   * @param {any} license
   */
  #license(asset, keys, license) {
    const terms = asset.license;
    if (terms.state === 'none') return null;
    return this.#section(t('license'), properties([
      [t('state'), t(`license_${terms.state}`)], [t('kind'), terms.kind && has(`kind_${terms.kind}`) ? t(`kind_${terms.kind}`) : terms.kind],
      [t('expires'), terms.expires_at === 'never' ? t('never') : terms.expires_at ? date(terms.expires_at) : null],
      [t('firstPlayed'), terms.first_played_at && date(terms.first_played_at)], [t('playExpires'), terms.play_expires_at && date(terms.play_expires_at)],
      [t('keys'), keys && h('ul', { class: 'plain-list' }, keys.keys.map((/** @type {any} */ key) => h('li', {}, icon(key.usable ? 'check' : 'warning'), h('span', {}, `${key.id} – ${key.usable ? t('keyUsable') : key.stored ? t('keyUnusable') : t('keyMissing')}`))))],
    ]), license?.history?.length > 0 && h('details', {}, h('summary', {}, t('history')), h('ul', { class: 'plain-list' }, license.history.map((/** @type {any} */ item) => h('li', {}, h('span', {}, `${date(item.at)} – ${item.event}`))))),
    h('div', { class: 'row wrap' }, button('license', t('renew'), () => renew(asset), { text: true }), button('key', t('addKey'), () => addKey(asset), { text: true }),
      terms.state !== 'revoked' && button('remove', t('revoke'), () => form(t('revoke'), [h('p', {}, t('revokeLong'))], t('revoke'), () => ask('DELETE', `assets/${asset.token}/license`)), { text: true, class: 'button danger' })));
  }

  /** @param {Asset} asset */
  #storage(asset) {
    return this.#section(t('storage'), properties([
      [t('stored'), bytes(asset.bytes.stored)], [t('expected'), asset.bytes.expected !== null && asset.bytes.expected !== asset.bytes.stored ? (asset.bytes.exact ? '' : '≈ ') + bytes(asset.bytes.expected) : null],
      [t('folder'), h('code', {}, asset.store_path)], [t('pinned'), asset.pinned ? t('pinnedLong') : t('no')],
    ]), h('div', { class: 'row wrap' }, button('verify', t('verify'), () => verify(asset), { text: true }), button('repair', t('repair'), () => repair(asset), { text: true }), button('pin', t(asset.pinned ? 'unpin' : 'pin'), () => attempt(async () => { await act(asset.pinned ? 'unpin' : 'pin', [asset]); await this.#load(); await this.#draw(); }), { text: true })));
  }

  /** @param {any[]} plays */
  #plays(plays) {
    if (!plays.length) return null;
    return this.#section(t('plays'), h('ul', { class: 'plain-list' }, plays.slice(0, 20).map((play) => h('li', {}, icon('play'), h('span', {}, t('playedUntil', { date: date(play.began_at), time: clock(play.until) }))))));
  }

  /** @param {Asset} asset */
  #origin(asset) {
    return this.#section(t('origin'), properties([
      [t('address'), h('code', {}, asset.source_url)], [t('redirects'), asset.redirects.length ? asset.redirects.join(' → ') : null],
      [t('requestedAt'), date(asset.requested_at)], [t('finishedAt'), asset.finished_at && date(asset.finished_at)], [t('lastPlayed'), when(asset.last_played_at)],
      ...Object.entries(asset.meta).map(([name, value]) => /** @type {[string, any]} */ ([name, value])),
    ]));
  }
}
