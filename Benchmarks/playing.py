"""Playing during the download against playing straight from the origin: the first frame, a seek, and how long a byte
takes on its way through.

The origin's line has 1.5 times the stream's bit rate and a round trip of 40 ms. A player opens the asset right after
its URL was printed; seeks go to parts that nobody has fetched.
"""
import http.server
import json
import random
import shutil
import subprocess
import threading
import time
import urllib.request

import assets
import product
from measure import Row, compare, median
from origin import Link, Nginx

STREAM = (640, 360, 25, 20, 1000)
SEGMENTS, SECONDS = 30, 4
DELAY, SPARE = 0.04, 1.5
SEEKS = 10
PIECES, PIECE, PAUSE = 20, 44 * 188, 0.05


def seconds_to_frame(url, position=None):
    """How long ffmpeg takes from its start to the first frame of a place."""
    place = [] if position is None else ["-ss", str(position)]
    started = time.monotonic()
    done = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *place, "-i", url, "-frames:v", "1", "-f", "null", "-"],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"ffmpeg {url}: {done.stderr.strip()}")
    return time.monotonic() - started


def added(server, url):
    """The address of a new asset, whose download has begun."""
    request = urllib.request.Request(f"{server.url}/api/v1/assets", json.dumps({"url": url}).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)["playlist_url"]


def ours(options, url, play):
    """What `play` measures of an asset in a store of its own."""
    store = options.work / "store-play"
    shutil.rmtree(store, ignore_errors=True)
    with product.Server(store) as server:
        return play(added(server, url))


def compared(options, what, link, play):
    url = f"{link.url}/index.m3u8"
    return compare(options, Row("playing", what, "s", "lower", "straight"), lambda: ours(options, url, play),
                   lambda: play(url))


class Dripping(http.server.BaseHTTPRequestHandler):
    """A stream of one segment that is sent in pieces, with the time of each."""
    media, sent = b"", []
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path.endswith(".m3u8"):
            body = b"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n"
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            return self.wfile.write(body)
        self.send_response(200)
        self.send_header("Content-Length", str(PIECES * PIECE))
        self.end_headers()
        Dripping.sent = []
        for number in range(PIECES):
            time.sleep(PAUSE)
            Dripping.sent.append(time.monotonic())
            self.wfile.write(Dripping.media[number * PIECE:(number + 1) * PIECE])
            self.wfile.flush()

    def log_message(self, *_):
        pass


def seconds_through(url):
    """The median time between the sending of a piece by the origin and its arrival here."""
    with urllib.request.urlopen(url) as response:
        late = []
        for number in range(PIECES):
            if not response.read(PIECE):
                break
            if number < len(Dripping.sent):
                late.append(time.monotonic() - Dripping.sent[number])
    return median(late[1:])


def passing(options, folder):
    # Only media is stored.
    Dripping.media = assets.segment_files(folder)[0].read_bytes()[:PIECES * PIECE]
    row = Row("playing", "a byte of an arriving segment, on its way through", "s", "lower", "straight")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Dripping) as origin:
        threading.Thread(target=origin.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{origin.server_port}"

        def through(url):
            return seconds_through(url.rsplit("/", 1)[0] + "/video/0.ts")

        compare(options, row, lambda: ours(options, f"{base}/index.m3u8", through),
                lambda: seconds_through(f"{base}/0.ts"))
        origin.shutdown()
    return row


def stream(options):
    """The folder of the stream, and the rate of its origin's line."""
    folder = assets.make(options.work, "play", STREAM, SEGMENTS, SECONDS)
    size = sum(file.stat().st_size for file in assets.segment_files(folder))
    return folder, size * 8 / (SEGMENTS * SECONDS) * SPARE


def rows(options):
    folder, rate = stream(options)
    random.seed(7)
    places = [random.uniform(SECONDS, (SEGMENTS - 1) * SECONDS) for _ in range(SEEKS)]
    with Nginx(folder, options.work / "nginx-play", 2) as nginx, Link(nginx, DELAY, rate) as link:
        yield compared(options, "first frame, download just begun", link, seconds_to_frame)
        yield compared(options, f"{SEEKS} seeks during the download, on average", link,
                       lambda url: sum(seconds_to_frame(url, place) for place in places) / SEEKS)
    yield passing(options, folder)
