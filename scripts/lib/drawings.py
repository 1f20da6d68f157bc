"""The drawings of the explanation, as SVG that follows the reader's light or dark scheme."""
import html

STYLE = """<style>
.box{fill:#eef4ff;stroke:#3b6fd4;stroke-width:1.5}.store{fill:#fff6e0;stroke:#b7791f;stroke-width:1.5}.out{fill:#f3f4f6;stroke:#8b949e;stroke-width:1.5}
.pure{fill:#e9f8ee;stroke:#2f855a;stroke-width:1.5}text{font-family:system-ui,-apple-system,"Segoe UI",sans-serif;font-size:14px;fill:#1f2328;text-anchor:middle}
.small{font-size:12px;fill:#57606a}.name{font-weight:600}.line{fill:none;stroke:#57606a;stroke-width:1.6;marker-end:url(#arrow)}#arrow path{fill:#57606a}
@media(prefers-color-scheme:dark){.box{fill:#13233f;stroke:#6ea0ff}.store{fill:#33270c;stroke:#e3b341}.out{fill:#21262d;stroke:#8b949e}.pure{fill:#10291b;stroke:#56d364}
text{fill:#e6edf3}.small{fill:#9da7b3}.line{stroke:#9da7b3}#arrow path{fill:#9da7b3}}
</style><defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>"""


def box(x, y, width, height, name, *lines, kind="box"):
    top = y + height / 2 - 8 * len(lines) + 5
    text = f'<text class="name" x="{x + width / 2}" y="{top}">{html.escape(name)}</text>'
    for number, line in enumerate(lines, 1):
        text += f'<text class="small" x="{x + width / 2}" y="{top + 17 * number}">{html.escape(line)}</text>'
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>{text}'


def arrow(path, label=None, x=0, y=0):
    text = f'<text class="small" x="{x}" y="{y}">{html.escape(label)}</text>' if label else ""
    return f'<path class="line" d="{path}"/>{text}'


def picture(width, height, title, *parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
            f"<title>{html.escape(title)}</title>{STYLE}{''.join(parts)}</svg>\n")


def data_flow():
    return picture(
        860, 330, "How data flows",
        box(20, 40, 150, 90, "Origin", "playlists, segments,", "keys", kind="out"),
        box(250, 20, 190, 130, "Download engine", "reads playlists once,", "fetches what players want", "first, checks every segment"),
        box(250, 210, 190, 100, "Store", "plain HLS folders,", "catalog (SQLite),", "sealed content keys", kind="store"),
        box(590, 110, 130, 110, "Server", "127.0.0.1:8090", "playlists, media,", "API, page"),
        box(765, 30, 85, 60, "mpv, VLC", kind="out"), box(765, 135, 85, 60, "Browser", kind="out"),
        box(765, 240, 85, 60, "TV, phone", kind="out"),
        arrow("M170 85H245", "once", 207, 76), arrow("M345 150V205", "commits", 378, 182),
        arrow("M440 55C540 55 560 125 585 135", "bytes that arrive", 535, 60), arrow("M440 260C540 260 560 205 585 195", "bytes that are stored", 540, 272),
        arrow("M585 165C540 165 500 115 445 112", "what players want", 495, 182),
        arrow("M720 150C745 140 745 70 760 62"), arrow("M720 165H760"), arrow("M720 180C745 190 745 260 760 268"))


def segment():
    return picture(
        820, 250, "What happens when a player asks for a segment",
        box(20, 90, 150, 70, "A player asks", "for segment 42", kind="out"),
        box(250, 15, 210, 60, "stored", "its row and file are there", kind="store"), box(250, 95, 210, 60, "arriving", "a transfer is writing it"),
        box(250, 175, 210, 60, "not begun", "it becomes the next transfer"),
        box(550, 15, 250, 60, "sent from the file", "ETag, ranges, no origin", kind="pure"),
        box(550, 95, 250, 60, "passed on as bytes come", "one transfer for all players", kind="pure"),
        box(550, 175, 250, 60, "headers within 8 s", "else 503 with Retry-After", kind="pure"),
        arrow("M170 115C210 105 210 45 245 45"), arrow("M170 125H245"), arrow("M170 135C210 145 210 205 245 205"),
        arrow("M460 45H545"), arrow("M460 125H545"), arrow("M460 205H545"), arrow("M675 175V160"))


def modules():
    rows = [
        (20, [("offline-server", 20, 780, "the executable", "out")]),
        (85, [("OfflineServerCommands", 20, 385, "commands, terminal output", "box"), ("OfflineServer", 415, 385, "PlaybackServer: URLs, API, page", "box")]),
        (150, [("AssetStore", 20, 385, "OfflineStore: what apps call", "box"), ("HTTPDaemon", 415, 190, "libmicrohttpd", "out"), ("SubtitleRaster", 610, 190, "Pango and Cairo", "out")]),
        (215, [("Downloads", 20, 780, "the engine: queue, transfers, recordings, players", "box")]),
        (280, [("Licensing", 20, 190, "keys and terms", "store"), ("MediaDecryption", 215, 190, "ciphers", "store"), ("StoreCatalog", 410, 190, "SQLite", "store"),
               ("StoreFiles", 605, 195, "durable writes", "store")]),
        (345, [("StoreModel, StorePlanning", 20, 580, "values and decisions", "pure"), ("Transfers", 605, 195, "libcurl", "out")]),
        (410, [("HLSPlaylist", 20, 255, "playlists", "pure"), ("SidebandSubtitles", 282, 255, "WebVTT and others", "pure"),
               ("MediaContainers", 544, 256, "TS and MP4", "pure")]),
    ]
    parts = [box(x, y, width, 52, name, line, kind=kind) for y, row in rows for name, x, width, line, kind in row]
    return picture(820, 500, "The modules", *parts,
                   '<text class="small" x="410" y="486">Each imports only what stands below it. Green: pure. Yellow: the store. Gray: others\' libraries behind them.</text>')


def draw(folder):
    for name, made in (("data-flow", data_flow()), ("segment", segment()), ("modules", modules())):
        (folder / f"{name}.svg").write_text(made)
