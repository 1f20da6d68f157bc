"""The origin that stands for https://stream.example in the manual: HTTP on loopback, with the demo asset as its streams.

/film/master.m3u8         a film: two variants, two languages of sound, three of subtitles, AES-128
/film-2/, /film-3/ ...    the same under other names
/members/master.m3u8      a film for those who send `Authorization: Bearer secret`
/channel/live.m3u8        a live stream that ends some 12 s after it was asked for first
/film/en.srt              a subtitle file
/slow/master.m3u8         a film of which each segment takes half a minute: longer than a page of the manual
/gone/master.m3u8         404
"""
import http.server
import pathlib
import re
import threading
import time

SRT = "1\n00:00:01,000 --> 00:00:03,000\nFrom a file of its own.\n"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder = None
    began = None

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        path = self.path.partition("?")[0]
        head, _, rest = path.lstrip("/").partition("/")
        if head == "members" and self.headers.get("Authorization") != "Bearer secret":
            return self.answer(401, b"members only\n", "text/plain")
        if head == "channel" and rest == "live.m3u8":
            return self.answer(200, self.live(), "application/vnd.apple.mpegurl")
        if rest == "en.srt":
            return self.answer(200, SRT.encode(), "application/x-subrip")
        file = (self.folder / rest).resolve()
        known = re.fullmatch(r"(film|series|show|slow|members|channel)(-\d+)?", head)
        if not known or self.folder not in file.parents or not file.is_file():
            return self.answer(404, b"not found\n", "text/plain")
        if head == "slow" and file.suffix == ".ts":
            time.sleep(30)
        kind = {".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".vtt": "text/vtt", ".jpg": "image/jpeg"}
        self.answer(200, file.read_bytes(), kind.get(file.suffix, "application/octet-stream"))

    def live(self):
        """A window of three segments that moves each second, over a film of six."""
        Handler.began = Handler.began or time.monotonic()
        newest = 3 + int(time.monotonic() - Handler.began)
        lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:4", f"#EXT-X-MEDIA-SEQUENCE:{max(newest - 2, 0)}"]
        lines += [f"#EXT-X-DISCONTINUITY-SEQUENCE:{max(newest - 2, 0) // 6}"]
        for number in range(max(newest - 2, 0), min(newest, 14) + 1):
            if number % 6 == 0 and number:
                lines.append("#EXT-X-DISCONTINUITY")
            lines.append('#EXT-X-KEY:METHOD=AES-128,URI="keys/demo.key",IV=0x00000000000000000000000000000001')
            lines += ["#EXTINF:4.000000,", f"video-360/{number % 6}.ts"]
        if newest >= 14:
            lines.append("#EXT-X-ENDLIST")
        return ("\n".join(lines) + "\n").encode()

    def answer(self, status, body, kind):
        total, sent = len(body), body
        field = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        ranged = status == 200 and field and int(field[1]) < total
        if ranged:
            first, last = int(field[1]), min(int(field[2] or total - 1), total - 1)
            status, sent = 206, body[first:last + 1]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(sent)))
        self.send_header("ETag", f'"{total}"')
        if ranged:
            self.send_header("Content-Range", f"bytes {first}-{last}/{total}")
        self.end_headers()
        if self.command != "HEAD":
            try:
                self.wfile.write(sent)
            except (BrokenPipeError, ConnectionResetError):
                pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that is gone is no error of the origin."""


class Origin:
    """Runs while the `with` block does."""

    def __init__(self, root):
        Handler.folder = (pathlib.Path(root) / "Sources/OfflineServerCommands/Resources/demo").resolve()
        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = "http://127.0.0.1:%d" % self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
