"""What a thing costs when there are many: 1 to 10,000 assets, 10 to 100,000 segments, 1 to 1,000 clients, a film of two hours.

The peer of a row is the same measurement of few, taken in the same rounds; a ratio near 1 is a cost that does not grow.
"one more costs" is what lies between them, divided among those that came.
"""
import copy
import shutil
import subprocess
import sys
import time
from pathlib import Path

import assets
import product
import serving
from measure import Row, machine_is_idle, median, status_field
from storing import multiply, timed_command

sys.path.append(str(Path(__file__).resolve().parent.parent / "Tests/Pages"))
from browsers import Chromium  # noqa: E402

ASSETS = [1, 10, 100, 1_000, 10_000]
SEGMENTS = [10, 100, 1_000, 10_000, 100_000]
CLIENTS = [1, 10, 100, 1_000]
MINUTES = [10, 60, 120]
# How fast a film is played: the fastest that browsers allow.
RATE = 16


class Growth:
    """Rows of one axis, filled round by round. Each round has every size: a change of the machine's mood meets all."""

    def __init__(self, noun, sizes, units):
        self.sizes, self.values = sizes, {what: [] for what in units}
        self.rows = {what: Row("growth", f"{sizes[-1]:,} {noun}: {what}", unit, "lower", f"with {sizes[0]:,}")
                     for what, unit in units.items()}

    def measure(self, options, measured):
        """Fills the rows: `measured` gives the values of a size."""
        for number in range(options.pairs):
            idle = machine_is_idle(options.patience)
            order = self.sizes if number % 2 == 0 else self.sizes[::-1]
            found = {size: measured(size) for size in order}
            for what, row in self.rows.items():
                self.values[what].append({size: found[size][what] for size in self.sizes})
                row.add(found[self.sizes[-1]][what], found[self.sizes[0]][what], idle)
        for what, row in self.rows.items():
            row.series = [(size, median(round[size] for round in self.values[what])) for size in self.sizes]
        return self.rows.values()


def store_of(options, count):
    """A store of so many assets, made once, and the token of the first."""
    store, mark = options.work / f"store-of-{count}", options.work / f"store-of-{count}.token"
    if not mark.exists():
        shutil.rmtree(store, ignore_errors=True)
        token = product.imported(store, assets.make(options.work, "tiny", assets.SMALL, 10, 1))
        multiply(store, token, count)
        mark.write_text(token)
    return store, mark.read_text()


def seconds_until_ready(store):
    started = time.monotonic()
    with product.Server(store) as server:
        seconds = time.monotonic() - started
        time.sleep(1)
        return seconds, status_field(server.child.pid, "VmRSS")


def many_assets(options):
    growth = Growth("assets", ASSETS, {"serve until it listens": "s", "memory at rest": "MiB",
                                       "status of one": "s", "list --limit 100": "s"})
    stores = {size: store_of(options, size) for size in ASSETS}

    def measured(size):
        store, token = stores[size]
        seconds, memory = seconds_until_ready(store)
        return {"serve until it listens": seconds, "memory at rest": memory,
                "status of one": command(options, store, "status", token),
                "list --limit 100": command(options, store, "list", "--limit", "100")}

    yield from growth.measure(options, measured)


def command(options, store, *arguments):
    """The seconds of a command."""
    return timed_command(options, store, *arguments, "--json").seconds


def plain_folder(options, segments):
    """An HLS folder of so many segments of two packets."""
    folder = options.work / f"segments-{segments}"
    if (folder / "index.m3u8").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    packets = (b"\x47\x41\x00\x10\x00\x00\x01\xe0\x00\x00\x80\x00\x00" + b"\xff" * 175) * 2
    for number in range(segments):
        (folder / f"{number}.ts").write_bytes(packets)
    entries = "".join(f"#EXTINF:6.006,\n{number}.ts\n" for number in range(segments))
    (folder / "index.m3u8").write_text("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:7\n"
                                       f"#EXT-X-PLAYLIST-TYPE:VOD\n{entries}#EXT-X-ENDLIST\n")
    return folder


def asset_of(options, segments):
    """A store with one asset of so many segments, made once; its token."""
    store, mark = options.work / f"store-segments-{segments}", options.work / f"store-segments-{segments}.token"
    if not mark.exists():
        shutil.rmtree(store, ignore_errors=True)
        mark.write_text(product.imported(store, plain_folder(options, segments)))
    return store, mark.read_text()


def first_playlist(store, token):
    """Seconds of the first GET of the media playlist, and MiB after it."""
    with product.Server(store) as server:
        path = server.media_playlist(token)
        started = time.monotonic()
        server.get(path)
        return time.monotonic() - started, status_field(server.child.pid, "VmRSS")


def many_segments(options):
    growth = Growth("segments", SEGMENTS, {"playable": "s", "first GET of the playlist": "s",
                                           "memory after it": "MiB"})
    stores = {size: asset_of(options, size) for size in SEGMENTS}

    def measured(size):
        store, token = stores[size]
        seconds, memory = first_playlist(store, token)
        return {"playable": command(options, store, "playable", token), "first GET of the playlist": seconds,
                "memory after it": memory}

    yield from growth.measure(options, measured)


def many_clients(options):
    store, _, paths = serving.prepare(options)
    path = paths["playlist of 2 kB"][0]
    growth = Growth("clients", CLIENTS, {"memory": "MiB", "a request of one more": "ms"})

    def measured(size):
        with product.Server(store) as server:
            memory, milliseconds = serving.hold(server.port, path, size, [server.child.pid])
        return {"memory": memory, "a request of one more": milliseconds}

    yield from growth.measure(options, measured)


def film(options):
    """A film of two hours at some 2 Mbit/s, made once of one minute."""
    folder = options.work / "film-of-two-hours"
    if not (folder / "index.m3u8").exists():
        folder.mkdir(parents=True, exist_ok=True)
        minute = folder / "minute.ts"
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=60", "-f", "lavfi",
             "-i", "sine=duration=60", "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "2M", "-maxrate", "2M", "-bufsize", "2M", "-g",
             "100", "-pix_fmt", "yuv420p", "-c:a", "aac", str(minute)], check=True)
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", str(MINUTES[-1] - 1), "-i", str(minute), "-c", "copy", "-f", "hls",
             "-hls_time", "4", "-hls_playlist_type", "vod", str(folder / "index.m3u8")], check=True)
    return folder


def memory_of(pid):
    """MiB of a process and its children, shared pages divided among those who share them."""
    total = 0
    for process in [pid, *subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()]:
        if str(process) != str(pid):
            total += memory_of(int(process))
            continue
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
        except OSError:
            pass
    return total


def a_film(options):
    """The page plays a film once, at sixteen times its speed."""
    growth = Growth("minutes of a film", MINUTES, {"memory of the browser": "MiB", "buffered media": "s"})
    store = options.work / "store-film"
    token = product.imported(store, film(options))
    browser = Chromium()
    found = {}
    try:
        with product.Server(store) as server:
            browser.open(f"{server.url}/watch/{token}")
            browser.until("window.watchPage?.video.readyState > 2", 60)
            browser.js(f"(watchPage.video.muted = true, watchPage.video.playbackRate = {RATE}, watchPage.video.play(), true)")
            for minutes in MINUTES:
                browser.until(f"watchPage.video.currentTime > {minutes * 60 - 10} || watchPage.video.ended", 60 * minutes)
                ranges = "((b) => [...Array(b.length).keys()].reduce((sum, n) => sum + b.end(n) - b.start(n), 0))(watchPage.video.buffered)"
                found[minutes] = {"memory of the browser": memory_of(browser.process.pid), "buffered media": browser.js(ranges)}
    finally:
        browser.close()
    once = copy.copy(options)
    once.pairs = 1
    yield from growth.measure(once, found.get)


def rows(options):
    yield from many_assets(options)
    yield from many_segments(options)
    yield from many_clients(options)
    yield from a_film(options)
