// @ts-check
/**
 * All words of the pages, in one table: a column for each language. `{n}` is replaced by a value; what is divided by ¦ has
 * a form for one and a form for others. To add a language, add its code to CODES and a column to the table.
 */

import { keep, kept } from './api.js';

const CODES = ['en', 'de'];
/**
 * The languages of the pages, with their own names.
 * @type {[string, string][]}
 */
export const languages = [['en', 'English'], ['de', 'Deutsch']];

/** @type {Record<string, string[]>} */
const TABLE = {
  brand: ['offline-server, to the library', 'offline-server, zur Mediathek'], skip: ['Skip to content', 'Zum Inhalt'], views: ['Views', 'Ansichten'],
  library: ['Library', 'Mediathek'], downloads: ['Downloads', 'Downloads'], settings: ['Settings', 'Einstellungen'], storage: ['Storage', 'Speicher'],
  add: ['Add', 'Hinzufügen'], addStream: ['Add stream', 'Stream hinzufügen'], close: ['Close', 'Schließen'], cancel: ['Cancel', 'Abbrechen'], save: ['Save', 'Speichern'], saved: ['Saved', 'Gespeichert'], undo: ['Undo', 'Rückgängig'], failed: ['That did not work', 'Das ging nicht'], messages: ['Messages', 'Meldungen'], no: ['No', 'Nein'], never: ['Never', 'Nie'], off: ['Off', 'Aus'], again: ['Check again', 'Erneut prüfen'],
  copied: ['Copied', 'Kopiert'], copyByHand: ['Copy this', 'Zum Kopieren'], address: ['Address', 'Adresse'], copyAddress: ['Copy address', 'Adresse kopieren'], copyThis: ['Copy the line for {name}', 'Zeile für {name} kopieren'],
  unreachable: ['The server does not answer', 'Der Server antwortet nicht'], unreachableLong: ['Is it still running? This page tries again by itself.', 'Läuft er noch? Diese Seite versucht es von selbst wieder.'], reconnecting: ['Connection lost. Trying again …', 'Verbindung verloren. Neuer Versuch …'],
  assets: ['{n} asset¦{n} assets', '{n} Titel¦{n} Titel'], assetsOf: ['{n} of {all} assets', '{n} von {all} Titeln'], activeN: ['{n} download¦{n} downloads', '{n} Download¦{n} Downloads'], failedN: ['{n} failed', '{n} gescheitert'],
  firstTitle: ['Your library is empty', 'Die Mediathek ist noch leer'], firstText: ['Paste the address of an HLS stream, drop it here, or press n. It plays while it downloads, and without a network afterwards. To look around first, start the server with --demo.', 'Die Adresse eines HLS-Streams einfügen, hierher ziehen, oder n drücken. Er spielt schon beim Herunterladen, und danach ohne Netz. Zum Umsehen den Server mit --demo starten.'],
  nothingTitle: ['Nothing found', 'Nichts gefunden'], nothingText: ['No asset fits the search and the filters.', 'Kein Titel passt zu Suche und Filtern.'], clearFilters: ['Clear filters', 'Filter aufheben'], search: ['Search', 'Suchen'], searchHint: ['Search names, tags, subtitles', 'Namen, Tags, Untertitel suchen'], searchPending: ['{n} track is still being looked into; search again in a moment.¦{n} tracks are still being looked into; search again in a moment.', '{n} Spur ist noch nicht durchsucht; gleich noch einmal suchen.¦{n} Spuren sind noch nicht durchsucht; gleich noch einmal suchen.'], inSubtitles: ['Said in subtitles', 'In Untertiteln gesagt'], filters: ['Filters', 'Filter'],
  filter_all: ['All', 'Alle'], filter_unwatched: ['Unwatched', 'Ungesehen'], filter_started: ['Started', 'Angefangen'], filter_active: ['Downloading', 'Lädt'], filter_troubled: ['Problems', 'Probleme'],
  sortBy: ['Sort: {name}', 'Sortierung: {name}'], sort_newest: ['Newest first', 'Neueste zuerst'], sort_oldest: ['Oldest first', 'Älteste zuerst'], sort_name: ['Name', 'Name'], sort_size: ['Size', 'Größe'], sort_duration: ['Length', 'Länge'], sort_played: ['Last played', 'Zuletzt gespielt'], asList: ['Show as list', 'Als Liste zeigen'], asGrid: ['Show as grid', 'Als Kacheln zeigen'],
  tags: ['Tags', 'Tags'], allTags: ['All tags', 'Alle Tags'], editTags: ['Edit tags', 'Tags ändern'], tagsHint: ['With commas between them. On the command line, tag:NAME stands for all assets with that tag.', 'Durch Kommas getrennt. Auf der Befehlszeile steht tag:NAME für alle Titel mit diesem Tag.'],
  selection: ['Selection', 'Auswahl'], selectOne: ['Select', 'Auswählen'], unselectOne: ['Unselect', 'Auswahl aufheben'], select: ['Select {name}', '{name} auswählen'], selected: ['{n} selected', '{n} ausgewählt'], selectAll: ['Select all', 'Alle auswählen'], unselect: ['Clear selection', 'Auswahl aufheben'], moreOf: ['More for {name}', 'Mehr zu {name}'],
  pause: ['Pause', 'Anhalten'], resume: ['Resume', 'Fortsetzen'], retry: ['Try again', 'Erneut versuchen'], remove: ['Remove', 'Löschen'], rename: ['Rename', 'Umbenennen'], details: ['Details', 'Details'], pin: ['Keep (pin)', 'Behalten'], unpin: ['Unpin', 'Nicht mehr behalten'], markWatched: ['Mark as watched', 'Als gesehen merken'], markUnwatched: ['Mark as unwatched', 'Als ungesehen merken'], cancelDownload: ['Cancel download', 'Download abbrechen'], cancelLong: ['The download of “{name}” ends. What is stored is kept for a day, for a resume.', 'Der Download von „{name}“ endet. Gespeichertes bleibt einen Tag zum Fortsetzen.'], removedAssets: ['{n} asset removed¦{n} assets removed', '{n} Titel gelöscht¦{n} Titel gelöscht'],
  downloading: ['Downloading', 'Lädt'], retrying: ['Retrying', 'Neuer Versuch'], recording: ['Recording', 'Aufnahme'], resolving: ['Looking into it', 'Wird gelesen'], resolvingLong: ['reading the playlists', 'Playlists werden gelesen'], queued: ['Waiting', 'Wartet'], paused: ['Paused', 'Angehalten'], cancelled: ['Cancelled', 'Abgebrochen'], failedState: ['Failed', 'Gescheitert'], complete: ['Complete', 'Vollständig'], damaged: ['Damaged', 'Beschädigt'], damagedLong: ['repair fetches what is broken', 'Reparieren holt, was kaputt ist'], incomplete: ['Incomplete', 'Unvollständig'], incompleteLong: ['something of it is missing', 'etwas davon fehlt'], watched: ['watched', 'gesehen'], left: ['{time} left', 'noch {time}'], lastError: ['{text}', '{text}'], nextTry: ['next try {when}', 'nächster Versuch {when}'], progressOf: ['Progress of {name}', 'Fortschritt von {name}'], progress: ['Progress', 'Fortschritt'], watchedUntil: ['watched until {time}', 'gesehen bis {time}'],
  reason_slot: ['its turn comes', 'gleich an der Reihe'], reason_network: ['no network', 'kein Netz'], reason_origin: ['the origin asked to be left alone for a while', 'die Quelle will eine Weile in Ruhe gelassen werden'], reason_disk: ['no room on the disk', 'kein Platz auf der Platte'], reason_files: ['too many open files', 'zu viele offene Dateien'], reason_metered: ['the connection costs by volume', 'die Verbindung kostet nach Menge'], reason_schedule: ['outside of its times of day', 'außerhalb der erlaubten Tageszeit'], reason_engine: ['nobody works on the store', 'niemand arbeitet am Speicher'], reason_user: ['by you', 'durch dich'], reason_preloaded: ['playlists and keys are there', 'Playlists und Schlüssel sind da'], reason_evicted: ['made room for others', 'hat Platz gemacht'],
  license_none: ['No license needed', 'Keine Lizenz nötig'], license_valid: ['Valid', 'Gültig'], license_expired: ['License expired', 'Lizenz abgelaufen'], license_revoked: ['License revoked', 'Lizenz widerrufen'], license_missing: ['Keys are missing', 'Schlüssel fehlen'], kind_purchase: ['Purchase', 'Kauf'], kind_rental: ['Rental', 'Leihe'],
  verify: ['Check every byte', 'Jedes Byte prüfen'], verifying: ['Reading every stored byte …', 'Jedes gespeicherte Byte wird gelesen …'], verifiedSound: ['All {n} files are as they were', 'Alle {n} Dateien sind, wie sie waren'], verifiedBad: ['{n} file is missing or damaged¦{n} files are missing or damaged', '{n} Datei fehlt oder ist beschädigt¦{n} Dateien fehlen oder sind beschädigt'], repair: ['Repair', 'Reparieren'], repairing: ['What is missing is being fetched', 'Was fehlt, wird geholt'],
  relink: ['New address', 'Neue Adresse'], relinkLong: ['Give a fresh address of the same stream; the download goes on where it was.', 'Eine frische Adresse desselben Streams angeben; der Download geht weiter, wo er war.'], changeAccess: ['Change headers', 'Header ändern'], changeAccessLong: ['What the origin is sent with each request. A download that was refused goes on.', 'Was die Quelle mit jeder Anfrage bekommt. Ein abgelehnter Download geht weiter.'], headers: ['Header fields', 'Header-Felder'], headersHint: ['One a line: Name: value. They are kept sealed.', 'Eins je Zeile: Name: Wert. Sie werden versiegelt aufbewahrt.'], cookies: ['Cookies', 'Cookies'], cookiesHint: ['The content of a cookies.txt file.', 'Der Inhalt einer cookies.txt.'], addKey: ['Add key', 'Schlüssel eingeben'], key: ['Key', 'Schlüssel'], keyHint: ['The key’s ID or KID, a colon, and the key, both in hexadecimal digits.', 'ID oder KID des Schlüssels, Doppelpunkt, Schlüssel; beide hexadezimal.'], renew: ['Renew license', 'Lizenz erneuern'], renewLong: ['Asks for the keys again and begins the license anew. Leave the field empty for a purchase.', 'Fragt die Schlüssel neu an und beginnt die Lizenz neu. Leer lassen für einen Kauf.'], rental: ['Rental', 'Leihdauer'], rentalHint: ['Such as 30d or 48h, from the request on.', 'Etwa 30d oder 48h, ab der Anfrage.'], playWindow: ['Play window', 'Abspielfrist'], playWindowHint: ['Such as 48h, from the first play on.', 'Etwa 48h, ab dem ersten Abspielen.'],
  streamAddress: ['Address of the stream', 'Adresse des Streams'], streamAddressHint: ['An HLS playlist (.m3u8). Several addresses, one a line, are added at once.', 'Eine HLS-Playlist (.m3u8). Mehrere Adressen, eine je Zeile, werden zusammen hinzugefügt.'], probing: ['Looking at the stream …', 'Der Stream wird angesehen …'], probeFailed: ['The stream can’t be read', 'Der Stream lässt sich nicht lesen'], probeHint: ['Does it need a login? Give header fields or cookies under “More options”. You can also add it as it is; it then fails with the reason.', 'Braucht er eine Anmeldung? Header oder Cookies unter „Weitere Optionen“ angeben.'], canDownload: ['Can be downloaded', 'Kann heruntergeladen werden'], cannotDownload: ['Can’t be downloaded', 'Kann nicht heruntergeladen werden'], liveStream: ['Live', 'Live'], variants: ['{n} variant¦{n} variants', '{n} Variante¦{n} Varianten'], oneVariant: ['one variant', 'eine Variante'], encrypted: ['encrypted', 'verschlüsselt'], quality: ['Quality', 'Qualität'], bestUsual: ['Best up to 1080p', 'Beste bis 1080p'], allVariants: ['All variants', 'Alle Varianten'], allVariantsLong: ['to choose while playing', 'zum Wählen beim Abspielen'], audio: ['Audio', 'Ton'], subtitles: ['Subtitles', 'Untertitel'], moreOptions: ['More options', 'Weitere Optionen'], name: ['Name', 'Name'], nameHint: ['Else the stream’s own title.', 'Sonst der Titel des Streams.'], userAgent: ['User agent', 'User-Agent'], priority: ['Priority', 'Vorrang'], priority_normal: ['Normal', 'Normal'], priority_high: ['Before others', 'Vor anderen'], priority_low: ['After others', 'Nach anderen'], from: ['From', 'Von'], to: ['To', 'Bis'], partHint: ['Hours, minutes, seconds; only this part is taken.', 'Stunden, Minuten, Sekunden; nur dieser Teil wird geholt.'], limitRate: ['Speed limit', 'Tempolimit'], noLimit: ['No limit', 'Kein Limit'], recordFor: ['Record for', 'Aufnahmedauer'], recordForHint: ['For live streams, such as 90m.', 'Für Live-Streams, etwa 90m.'], live: ['Live', 'Live'], fromStart: ['Record from the oldest segment', 'Ab dem ältesten Segment aufnehmen'], trickPlay: ['Thumbnails and trick play', 'Vorschaubilder'], preload: ['Playlists and keys only', 'Nur Playlists und Schlüssel'], allowMissingKey: ['Even without its keys', 'Auch ohne Schlüssel'], download: ['Download', 'Herunterladen'], estimating: ['Estimating …', 'Wird geschätzt …'], about: ['About {size}', 'Etwa {size}'], severalStreams: ['{n} streams are added with the usual choice.', '{n} Streams werden mit der üblichen Auswahl hinzugefügt.'], added: ['Added¦{n} streams added', 'Hinzugefügt¦{n} Streams hinzugefügt'], noAddress: ['There is no http address in that', 'Darin ist keine http-Adresse'],
  why_drm: ['Its keys are only given to certified players (DRM).', 'Seine Schlüssel bekommen nur zertifizierte Player (DRM).'], why_live: ['It is live: tick “Live” to record it.', 'Er ist live: „Live“ ankreuzen, um ihn aufzunehmen.'],
  pauseAll: ['Pause all', 'Alle anhalten'], resumeAll: ['Resume all', 'Alle fortsetzen'], limitAll: ['Speed limit of all downloads', 'Tempolimit aller Downloads'], nowLoading: ['Running', 'Laufend'], speed: ['Speed', 'Tempo'], toLoad: ['To load', 'Noch zu laden'], timeLeft: ['Time left', 'Restzeit'], failedGroup: ['Failed', 'Gescheitert'], runningGroup: ['Running', 'Laufend'], queueGroup: ['Waiting', 'Wartend'], pausedGroup: ['Paused', 'Angehalten'], doneGroup: ['Done today', 'Heute fertig'], noDownloads: ['Nothing is being downloaded', 'Gerade lädt nichts'], noDownloadsLong: ['Add a stream; how far it is and what it waits for is shown here.', 'Einen Stream hinzufügen; hier steht dann, wie weit er ist und worauf er wartet.'], storedOf: ['{stored} of {all}', '{stored} von {all}'], moveUp: ['Move {name} up', '{name} nach oben'], moveDown: ['Move {name} down', '{name} nach unten'], movedTo: ['Now at place {n}', 'Jetzt auf Platz {n}'], andMore: ['and {n} more', 'und {n} weitere'], playIt: ['Play {name}', '{name} abspielen'],
  noAsset: ['There is no such asset', 'Diesen Titel gibt es nicht'], toLibrary: ['To the library', 'Zur Mediathek'], breadcrumbs: ['Back', 'Zurück'], addedOn: ['added {date}', 'hinzugefügt {date}'], play: ['Play', 'Abspielen'], goOn: ['Go on at {time}', 'Weiter bei {time}'], problems: ['Problems', 'Probleme'], leftOut: ['{kind} “{wanted}” is not in the stream; it offers: {offered}', '{kind} „{wanted}“ ist nicht im Stream; er bietet: {offered}'], tracks: ['Tracks', 'Spuren'], track: ['Track', 'Spur'], type: ['Type', 'Art'], bitrate: ['Bit rate', 'Bitrate'], codecs: ['Codecs', 'Codecs'], size: ['Size', 'Größe'], state: ['State', 'Zustand'], actions: ['Actions', 'Aktionen'], video: ['Video', 'Bild'], thumbnails: ['Thumbnails', 'Vorschaubilder'], lostTrack: ['Lost', 'Verloren'], removeTrack: ['Remove track {name}', 'Spur {name} löschen'], removeTrackLong: ['Its files are deleted. It can be added again as long as the origin has it.', 'Ihre Dateien werden gelöscht. Sie lässt sich wieder hinzufügen, solange die Quelle sie hat.'], addTracks: ['Add tracks', 'Spuren hinzufügen'], addTracksLong: ['Only the difference is fetched. Languages with commas between them, or “all”.', 'Nur der Unterschied wird geholt. Sprachen durch Kommas getrennt, oder „all“.'], maxHeight: ['Video up to (lines)', 'Bild bis (Zeilen)'], audioLanguages: ['Audio languages', 'Tonsprachen'], subtitleLanguages: ['Subtitle languages', 'Untertitelsprachen'], subtitleFile: ['Subtitle file (address or path)', 'Untertiteldatei (Adresse oder Pfad)'], language: ['Language', 'Sprache'],
  addresses: ['For other players', 'Für andere Player'], addressesLong: ['These addresses stay the same for good.', 'Diese Adressen bleiben für immer gleich.'], showQR: ['QR code', 'QR-Code'], scan: ['Scan to play', 'Zum Abspielen scannen'], qrOf: ['QR code of {url}', 'QR-Code von {url}'], tooLong: ['The address is too long for a code.', 'Die Adresse ist zu lang für einen Code.'], qrLocal: ['This address is of this machine alone. Start the server with --lan for other devices.', 'Diese Adresse gilt nur auf diesem Rechner. Für andere Geräte den Server mit --lan starten.'], exportMP4: ['Save as MP4', 'Als MP4 sichern'], exportNot: ['There is no MP4 of this asset; `offline-server export` writes a folder.', 'Von diesem Titel gibt es kein MP4; `offline-server export` schreibt einen Ordner.'], exportLicense: ['Its license does not allow it now.', 'Die Lizenz erlaubt es gerade nicht.'],
  license: ['License', 'Lizenz'], kind: ['Kind', 'Art'], expires: ['Expires', 'Läuft ab'], firstPlayed: ['First played', 'Zuerst gespielt'], playExpires: ['Play window ends', 'Abspielfrist endet'], keys: ['Keys', 'Schlüssel'], keyUsable: ['stored', 'gespeichert'], keyUnusable: ['can’t be unsealed', 'lässt sich nicht öffnen'], keyMissing: ['missing', 'fehlt'], history: ['History', 'Verlauf'], revoke: ['Revoke license', 'Lizenz widerrufen'], revokeLong: ['The keys are wiped, the media stay. Only a new license plays it again.', 'Die Schlüssel werden gelöscht, die Medien bleiben. Nur eine neue Lizenz spielt ihn wieder.'],
  stored: ['Stored', 'Gespeichert'], expected: ['When complete', 'Vollständig'], pinned: ['Pinned', 'Behalten'], pinnedLong: ['Nothing evicts it', 'Nichts verdrängt ihn'], plays: ['Played', 'Gespielt'], playedUntil: ['{date}, until {time}', '{date}, bis {time}'], origin: ['Origin', 'Herkunft'], redirects: ['Redirects', 'Umleitungen'], requestedAt: ['Asked for', 'Angefragt'], finishedAt: ['Finished', 'Fertig'], lastPlayed: ['Last played', 'Zuletzt gespielt'], folder: ['Folder', 'Ordner'],
  set_downloads: ['Downloads', 'Downloads'], set_appearance: ['Appearance and player', 'Darstellung und Player'], set_storage: ['Storage', 'Speicher'], set_doctor: ['Health check', 'Prüfung'], set_log: ['Event log', 'Ereignisse'], set_about: ['About', 'Über'],
  usually: ['Usually: {value}.', 'Üblich: {value}.'], untilEnd: ['Holds until the server ends; config.json in the store’s folder sets it for good.', 'Gilt, bis der Server endet; config.json im Ordner des Speichers legt es dauerhaft fest.'], opt_max_downloads: ['Downloads at once', 'Downloads zugleich'], opt_max_downloads_long: ['1 to 64 assets.', '1 bis 64 Titel.'], opt_transfers: ['Transfers at once', 'Übertragungen zugleich'], opt_transfers_long: ['For one asset and one host, 1 to 64.', 'Je Titel und Server, 1 bis 64.'], opt_limit_rate: ['Speed limit', 'Tempolimit'], opt_limit_rate_long: ['All downloads together, in', 'Alle Downloads zusammen, in'], opt_limit_rate_per_host: ['Speed limit of one origin', 'Tempolimit je Quelle'], opt_limit_rate_per_host_long: ['What comes from one host, in', 'Was von einem Server kommt, in'], opt_schedule: ['Times of day', 'Tageszeiten'], opt_schedule_long: ['When downloads run, local time, such as 22:00-06:00.', 'Wann geladen wird, Ortszeit, etwa 22:00-06:00.'], opt_metered_ok: ['Also on metered connections', 'Auch bei Verbindungen, die nach Menge kosten'], opt_metered_ok_long: ['Otherwise downloads wait for another connection.', 'Sonst warten Downloads auf eine andere Verbindung.'], opt_metered_interfaces: ['Metered interfaces', 'Schnittstellen, die nach Menge kosten'], opt_metered_interfaces_long: ['Names with spaces between them; wwan* stands for all that begin so.', 'Namen durch Leerzeichen getrennt; wwan* steht für alle, die so beginnen.'],
  colors: ['Colors', 'Farben'], asSystem: ['As the system', 'Wie das System'], light: ['Light', 'Hell'], dark: ['Dark', 'Dunkel'], pageLanguage: ['Language of this page', 'Sprache dieser Seite'], asBrowser: ['As the browser', 'Wie der Browser'], subtitleLanguage: ['Preferred subtitles', 'Bevorzugte Untertitel'], subtitleLanguageLong: ['A language such as en or de; empty for none.', 'Eine Sprache wie en oder de; leer für keine.'], audioLanguage: ['Preferred audio', 'Bevorzugter Ton'], shortcuts: ['Single-key shortcuts', 'Tastenkürzel'], shortcutsLong: ['Such as n for a new stream; ? lists them.', 'Etwa n für einen neuen Stream; ? zeigt alle.'], bookmarklet: ['Bookmark to add the page’s stream', 'Lesezeichen zum Hinzufügen'], bookmarkletLong: ['Drag it to the bookmarks bar; on a playlist’s address it opens this page with it.', 'In die Lesezeichenleiste ziehen; auf der Adresse einer Playlist öffnet es diese Seite damit.'],
  usedOf: ['{used} used of {all}', '{used} von {all} belegt'], quotaIs: ['The store may hold {size}.', 'Der Speicher darf {size} fassen.'], orphans: ['{n} folder belongs to no asset; pruning deletes it.¦{n} folders belong to no asset; pruning deletes them.', '{n} Ordner gehört zu keinem Titel; Aufräumen löscht ihn.¦{n} Ordner gehören zu keinem Titel; Aufräumen löscht sie.'], kindof_variant: ['Video', 'Bild'], kindof_audio: ['Audio', 'Ton'], kindof_subtitles: ['Subtitles', 'Untertitel'], kindof_iframe: ['Trick play', 'Schnellauf'], kindof_images: ['Thumbnails', 'Vorschaubilder'], prune: ['Make room', 'Platz schaffen'], pruneHint: ['Choose what may go. Pinned assets and those that are being played stay.', 'Wählen, was gehen darf. Behaltene und gerade gespielte Titel bleiben.'], evict_expired: ['License ended', 'Lizenz zu Ende'], evict_watched: ['Watched', 'Gesehen'], 'evict_low-priority': ['Low priority', 'Niedriger Vorrang'], 'evict_least-recently-played': ['Not played for longest', 'Am längsten nicht gespielt'], evict_cancelled: ['Cancelled', 'Abgebrochen'], freeAmount: ['Space to free', 'Freizugebender Platz'], previewPrune: ['Show what would go', 'Zeigen, was ginge'], wouldFree: ['{n} asset would go, {size} in all.¦{n} assets would go, {size} in all.', '{n} Titel ginge, zusammen {size}.¦{n} Titel gingen, zusammen {size}.'], notEnough: ['That is less than you asked for.', 'Das ist weniger als verlangt.'], pruneNow: ['Delete now', 'Jetzt löschen'], pruneLong: ['{n} asset with {size} is deleted for good.¦{n} assets with {size} are deleted for good.', '{n} Titel mit {size} wird endgültig gelöscht.¦{n} Titel mit {size} werden endgültig gelöscht.'], pruned: ['Room was made', 'Platz ist geschaffen'], largest: ['Largest assets', 'Größte Titel'],
  checking: ['Checking …', 'Wird geprüft …'], findings: ['{n} finding¦{n} findings', '{n} Befund¦{n} Befunde'], allFine: ['All is well', 'Alles in Ordnung'], logLong: ['What has happened lately, the newest first.', 'Was zuletzt geschah, das Neueste zuerst.'], noEvents: ['Nothing yet', 'Noch nichts'], noEventsLong: ['Downloads, changes and problems appear here as they happen.', 'Downloads, Änderungen und Probleme erscheinen hier, wenn sie geschehen.'], event_added: ['added', 'hinzugefügt'], event_state: ['state', 'Zustand'], event_removed: ['removed', 'gelöscht'], event_changed: ['changed', 'geändert'], event_failover: ['other line', 'andere Leitung'], event_damaged: ['damaged', 'beschädigt'], event_health: ['health', 'Gesundheit'], state_resolving: ['being read', 'wird gelesen'], state_queued: ['waiting', 'wartet'], state_downloading: ['downloading', 'lädt'], state_paused: ['paused', 'angehalten'], state_complete: ['complete', 'vollständig'], state_cancelled: ['cancelled', 'abgebrochen'], state_failed: ['failed', 'gescheitert'], version: ['Version', 'Version'], assetsStored: ['Assets', 'Titel'], aboutLong: ['Downloads HLS streams once and plays them from this machine, without a network. These pages are part of it: no foreign code, nothing is loaded from elsewhere.', 'Lädt HLS-Streams einmal herunter und spielt sie von diesem Rechner, ohne Netz. Diese Seiten gehören dazu: kein fremder Code, nichts wird von anderswo geladen.'], metrics: ['Metrics', 'Messwerte'],
  seek: ['Seek', 'Stelle'], mute: ['Mute', 'Stumm'], unmute: ['Unmute', 'Ton an'], volume: ['Volume', 'Lautstärke'], volumeIs: ['Volume {n} %', 'Lautstärke {n} %'], pausePlay: ['Pause', 'Pause'], playSpeed: ['Playback speed', 'Wiedergabetempo'], normal: ['Normal', 'Normal'], pip: ['Picture in picture', 'Bild im Bild'], fullScreen: ['Full screen', 'Vollbild'], leaveFullScreen: ['Leave full screen', 'Vollbild verlassen'], back10: ['Back 10 seconds', '10 Sekunden zurück'], forward10: ['Forward 10 seconds', '10 Sekunden vor'], keysSheet: ['Keyboard shortcuts', 'Tastenkürzel'], automatic: ['Automatic', 'Automatisch'], forced: ['forced', 'erzwungen'], sdh: ['SDH', 'für Gehörlose'], cueStyle: ['Subtitle settings', 'Untertitel einstellen'], showTranscript: ['Show transcript', 'Transkript zeigen'], hideTranscript: ['Hide transcript', 'Transkript verbergen'], transcript: ['Transcript', 'Transkript'], searchTranscript: ['Search the transcript', 'Transkript durchsuchen'], cueSize: ['Size', 'Größe'], cuePosition: ['Position', 'Position'], cue_bottom: ['Bottom', 'Unten'], cue_top: ['Top', 'Oben'], cueBackground: ['Background', 'Hintergrund'], cue_shade: ['Shade', 'Schatten'], cue_box: ['Solid', 'Fläche'], cue_outline: ['Outline', 'Kontur'], cueDelay: ['Delay', 'Verzögerung'], cueDelayHint: ['Seconds; negative shows them earlier.', 'Sekunden; negativ zeigt sie früher.'], secondTrack: ['Second language', 'Zweite Sprache'], cueSample: ['This is how it looks.', 'So sieht es aus.'], cueEdge: ['Distance from the edge', 'Abstand vom Rand'], cueColor: ['Color', 'Farbe'], cue_white: ['White', 'Weiß'], cue_yellow: ['Yellow', 'Gelb'], cue_green: ['Green', 'Grün'], cue_cyan: ['Cyan', 'Cyan'], cue_black: ['Black', 'Schwarz'], cue_light: ['Light', 'Hell'], cuePaint: ['Tracks with a style of their own', 'Spuren mit eigenem Stil'], cuePaintHint: ['Such as ASS: fonts, colors and places as they were made.', 'Etwa ASS: Schrift, Farben und Plätze wie gemacht.'], cue_own: ['As they were made', 'Wie gemacht'], cue_mine: ['In my style', 'In meinem Stil'], reset: ['Reset', 'Zurücksetzen'],
  chapters: ['Chapters', 'Kapitel'], nextOfRow: ['Next', 'Nächster Titel'], nextIs: ['Next:', 'Als Nächstes:'], playNow: ['Play now', 'Jetzt abspielen'], beginsIn: ['in {n} second¦in {n} seconds', 'in {n} Sekunde¦in {n} Sekunden'], rowOf: ['In a row: {n} of {all}', 'Der Reihe nach: {n} von {all}'], playRow: ['Play in a row', 'Der Reihe nach abspielen'], wentOn: ['Goes on at {time}', 'Geht weiter bei {time}'], startOver: ['From the beginning', 'Von vorn'], delayIs: ['Subtitles {n} s later', 'Untertitel {n} s später'], timeOf: ['{time} of {all}', '{time} von {all}'], cannotPlay: ['This browser can’t play the asset.', 'Dieser Browser kann den Titel nicht abspielen.'], otherPlayers: ['Any of the players below does.', 'Jeder der Player unten kann es.'], elsewhere: ['Play elsewhere: mpv, VLC, TV', 'Anderswo spielen: mpv, VLC, Fernseher'],
  k_space: ['Space / k', 'Leertaste / k'], k_home: ['Home / End', 'Pos1 / Ende'], k_arrows: ['Arrows, Home, End', 'Pfeile, Pos1, Ende'], k_all: ['Ctrl + A', 'Strg + A'], k_delete: ['Delete', 'Entf'], key_k: ['Play or pause', 'Abspielen oder Pause'], key_jl: ['10 seconds back or forward', '10 Sekunden zurück oder vor'], key_arrows: ['5 seconds back or forward', '5 Sekunden zurück oder vor'], key_volume: ['Louder or softer', 'Lauter oder leiser'], key_m: ['Mute', 'Stumm'], key_f: ['Full screen', 'Vollbild'], key_i: ['Picture in picture', 'Bild im Bild'], key_c: ['Subtitles on or off', 'Untertitel an oder aus'], key_speed: ['Slower or faster', 'Langsamer oder schneller'], key_chapters: ['Chapter back or forward', 'Kapitel zurück oder vor'], key_delay: ['Subtitles earlier or later', 'Untertitel früher oder später'], key_row: ['Next or previous of the row', 'Nächster oder voriger der Reihe'], k_shift: ['Shift + N / P', 'Umschalt + N / P'], key_frame: ['One frame back or forward', 'Ein Bild zurück oder vor'], key_digits: ['To 0 % … 90 %', 'Zu 0 % … 90 %'], key_home: ['To the beginning or the end', 'Zum Anfang oder Ende'], key_s: ['Statistics', 'Statistik'], key_sheet: ['This list', 'Diese Liste'], keysOff: ['Single-key shortcuts can be switched off in the settings.', 'In den Einstellungen lassen sich die Kürzel abschalten.'],
  lib_search: ['Search', 'Suchen'], lib_add: ['Add a stream', 'Stream hinzufügen'], lib_library: ['Library', 'Mediathek'], lib_downloads: ['Downloads', 'Downloads'], lib_settings: ['Settings', 'Einstellungen'], lib_walk: ['From asset to asset', 'Von Titel zu Titel'], lib_pick: ['Select, with Shift up to here', 'Auswählen, mit Umschalt bis hierher'], lib_all: ['Select all', 'Alle auswählen'], lib_delete: ['Remove', 'Löschen'], lib_escape: ['Clear the selection', 'Auswahl aufheben'], lib_sheet: ['This list', 'Diese Liste'],
  fig_way: ['Played by', 'Gespielt durch'], fig_picture: ['Picture', 'Bild'], fig_frames: ['Frames', 'Einzelbilder'], fig_framesOf: ['{dropped} dropped of {all}', '{dropped} von {all} ausgelassen'], fig_track: ['Tracks', 'Spuren'], fig_codecs: ['Codecs', 'Codecs'], fig_line: ['Line', 'Leitung'], fig_ahead: ['Buffered', 'Gepuffert'], fig_reason: ['Not by Media Source', 'Nicht durch Media Source'],
};

const wanted = kept('language', '') || navigator.languages.map((tag) => tag.split('-')[0]).find((code) => CODES.includes(code)) || 'en';
const column = Math.max(0, CODES.indexOf(wanted));
/** The language of the page. */
export const code = CODES[column];
const plural = new Intl.PluralRules(code);

/**
 * Whether there is a text of this name.
 * @param {string} name
 */
export const has = (name) => name in TABLE;

/**
 * A text in the page's language.
 * @param {string} name
 * @param {Record<string, any>} [values]
 */
export function t(name, values = {}) {
  let text = TABLE[name]?.[column] ?? TABLE[name]?.[0] ?? name;
  const forms = text.split('¦');
  if (forms.length > 1) text = plural.select(Number(values.n)) === 'one' ? forms[0] : forms[1];
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? (typeof values[key] === 'number' ? number.format(values[key]) : String(values[key])) : whole));
}

/** Takes over the colors, the language and the direction that are chosen. */
export function appearance() {
  const root = document.documentElement;
  root.lang = code;
  root.dir = ['ar', 'fa', 'he', 'ur'].includes(code) ? 'rtl' : 'ltr';
  const theme = kept('theme', '');
  if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
}

// Figures

const number = new Intl.NumberFormat(code);
const one = new Intl.NumberFormat(code, { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat(code, { maximumFractionDigits: 0 });
const day = new Intl.DateTimeFormat(code, { dateStyle: 'medium', timeStyle: 'short' });
const span = new Intl.RelativeTimeFormat(code, { numeric: 'auto' });
const names = new Intl.DisplayNames([code], { type: 'language' });
const collator = new Intl.Collator(code, { numeric: true, sensitivity: 'base' });

/**
 * @param {string} a
 * @param {string} b
 */
export const compare = (a, b) => collator.compare(a, b);

/**
 * @param {number} value
 * @param {string[]} units
 * @param {string} end
 */
function scaled(value, units, end) {
  let unit = 0;
  let rest = value;
  while (rest >= 999.5 && unit < units.length - 1) { rest /= 1000; unit += 1; }
  return `${(rest < 10 && unit > 0 ? one : whole).format(rest)} ${units[unit]}${end}`;
}

/** @param {number} value */
export const bytes = (value) => scaled(value, ['B', 'kB', 'MB', 'GB', 'TB'], '');
/** @param {number} value bytes a second */
export const rate = (value) => scaled(value, ['B', 'kB', 'MB', 'GB'], '/s');
/** @param {number} value bits a second */
export const bitrate = (value) => scaled(value, ['bit', 'kbit', 'Mbit', 'Gbit'], '/s');
/** @param {number} share */
export const percent = (share) => `${whole.format(Math.floor(share * 100))} %`;

/**
 * Seconds as on a clock.
 * @param {number} seconds
 */
export function clock(seconds) {
  const all = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return `${hours ? `${hours}:${String(minutes).padStart(2, '0')}` : minutes}:${String(rest).padStart(2, '0')}`;
}

/**
 * How long something takes, roughly.
 * @param {number} seconds
 */
export function remaining(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${one.format(seconds / 3600)} h`;
}

/** @param {string} text RFC 3339 */
export const date = (text) => day.format(new Date(text));

/**
 * How long ago, or from now on.
 * @param {string} text RFC 3339
 */
export function relative(text) {
  const seconds = (Date.parse(text) - Date.now()) / 1000;
  for (const [unit, size] of /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([['day', 86400], ['hour', 3600], ['minute', 60]])) if (Math.abs(seconds) >= size) return span.format(Math.round(seconds / size), unit);
  return span.format(Math.round(seconds), 'second');
}

/**
 * The name of a language.
 * @param {string | null | undefined} tag
 */
export function languageName(tag) {
  if (!tag || tag === 'und') return '';
  try { return names.of(tag) ?? tag; } catch { return tag; }
}

export { keep };
