"""The server whose pages are looked at, and an origin with a stream, both on loopback."""
import http.server
import json
import os
import signal
import socketserver
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

SECONDS = 12


def make_stream(folder):
    """Two variants, two languages of audio and subtitles in fragmented MP4; segments of two seconds; three chapters."""
    folder.mkdir(parents=True)

    def run(name, *arguments):
        (folder / name).mkdir()
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", *arguments, "-f", "hls", "-hls_segment_type", "fmp4", "-hls_time", "2",
             "-hls_list_size", "0", "-hls_playlist_type", "vod", "-hls_fmp4_init_filename", "init.mp4",
             "-hls_segment_filename", f"{folder}/{name}/%d.m4s", f"{folder}/{name}/index.m3u8"], check=True)

    for name, size in (("high", "320x180"), ("low", "160x90")):
        run(name, "-f", "lavfi", "-i", f"testsrc2=s={size}:r=25:d={SECONDS}", "-c:v", "libx264", "-preset", "ultrafast", "-g", "50",
            "-profile:v", "baseline", "-pix_fmt", "yuv420p")
    for name, pitch in (("en", 440), ("de", 660)):
        run(name, "-f", "lavfi", "-i", f"sine={pitch}:d={SECONDS}", "-c:a", "aac", "-b:a", "48k")
    for language in ("en", "de"):
        place = folder / f"text-{language}"
        place.mkdir()
        lines = "".join(f"00:{n:02}.500 --> 00:{n + 1:02}.500\n{language} line {n} of the winter\n\n" for n in range(0, SECONDS, 2))
        style = "STYLE\n::cue { color: lime }\n\n" if language == "de" else ""
        (place / "0.vtt").write_text(f"WEBVTT\n\n{style}{lines}")
        (place / "index.m3u8").write_text(
            f"#EXTM3U\n#EXT-X-TARGETDURATION:{SECONDS}\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:{SECONDS},\n0.vtt\n#EXT-X-ENDLIST\n")
    media = "".join(
        f'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",LANGUAGE="{code}",NAME="{name}",DEFAULT={usual},AUTOSELECT=YES,URI="{code}/index.m3u8"\n'
        f'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",LANGUAGE="{code}",NAME="{name}",AUTOSELECT=YES,URI="text-{code}/index.m3u8"\n'
        for code, name, usual in (("en", "English", "YES"), ("de", "Deutsch", "NO")))
    variants = "".join(
        f'#EXT-X-STREAM-INF:BANDWIDTH={rate},RESOLUTION={size},CODECS="avc1.42c01e,mp4a.40.2",AUDIO="a",SUBTITLES="s"\n{name}/index.m3u8\n'
        for name, rate, size in (("high", 900000, "320x180"), ("low", 300000, "160x90")))
    titles = ((0, "The castle"), (4, "The crossing"), (8, "Dawn"))
    (folder / "chapters.json").write_text(json.dumps(
        [{"start-time": start, "titles": [{"language": "de", "title": f"{text} (de)"}, {"language": "en", "title": text}]} for start, text in titles]))
    chapters = '#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json"\n'
    (folder / "master.m3u8").write_text("#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n" + chapters + media + variants)


class Origin:
    """Serves a folder; `missing` has paths that are answered with 404, `busy` those that are answered with 503, and /live/ is /show/ as it goes on air."""

    def __init__(self, folder):
        self.folder = folder
        self.missing, self.busy = set(), set()
        self.held, self.released = set(), threading.Event()
        self.began = None
        origin = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def __init__(self, *arguments):
                super().__init__(*arguments, directory=str(folder))

            def do_GET(self):
                if any(self.path.startswith(path) for path in origin.missing):
                    return self.send_error(404)
                if self.path in origin.busy:
                    return self.send_error(503)
                if self.path in origin.held:
                    origin.released.wait(60)
                if self.path.startswith("/live/"):
                    self.path = "/show/" + self.path[len("/live/"):]
                    if self.path.endswith(".m3u8"):
                        return self.growing(Path(folder) / self.path[1:])
                return super().do_GET()

            def growing(self, playlist):
                """A segment more every second, and the end when all are there."""
                origin.began = origin.began or time.monotonic()
                head, *segments = playlist.read_text().replace("#EXT-X-PLAYLIST-TYPE:VOD\n", "").split("#EXTINF")
                shown = segments[:1 + int(time.monotonic() - origin.began)]
                if len(shown) < len(segments):
                    shown = [text.replace("#EXT-X-ENDLIST\n", "") for text in shown]
                body = "#EXTINF".join([head, *shown]).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """A client that leaves is none of ours."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def hold_last_segments(self):
        """Lets no download of /show/ end before release()."""
        self.released.clear()
        for playlist in Path(self.folder).glob("show/*/index.m3u8"):
            last = [line for line in playlist.read_text().split() if not line.startswith("#")][-1]
            self.held.add(f"/show/{playlist.parent.name}/{last}")

    def release(self):
        self.held = set()
        self.released.set()

    def close(self):
        self.server.shutdown()


class Site:
    """A server on a store of its own."""

    def __init__(self, program, *options, port=0, store=None):
        self.program, self.options = program, options
        self.store = store or Path(tempfile.mkdtemp(prefix="pages-store-"))
        self.start(port)

    def start(self, port=0):
        self.process = subprocess.Popen(
            [self.program, "--store", str(self.store), "--json", "serve", "--listen", f"127.0.0.1:{port}", *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = json.loads(self.process.stdout.readline())
        self.url, self.port = line["url"], line["port"]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        self.process.stdout.close()

    def ask(self, method, path, body=None):
        """Asks the API; the answer's status and document."""
        request = urllib.request.Request(
            f"{self.url}/api/v1/{path}", method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.status, json.loads(reply.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    def add(self, url, **more):
        status, asset = self.ask("POST", "assets", {"url": url, **more})
        assert status in (200, 201), asset
        return asset["token"]

    def token(self):
        return (self.store / "api-token").read_text().strip()


def axe():
    """The source of axe-core: of AXE_CORE, or of axe-playwright-python from PyPI; `None` when neither can be had."""
    if path := os.environ.get("AXE_CORE"):
        return Path(path).read_text(encoding="utf-8")
    folder = Path(__file__).resolve().parent.parent.parent / ".build/axe"
    found = list(folder.rglob("axe.min.js"))
    if not found:
        subprocess.run(
            ["python3", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--target", str(folder),
             "axe-playwright-python"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        found = list(folder.rglob("axe.min.js"))
    return found[0].read_text(encoding="utf-8") if found else None
