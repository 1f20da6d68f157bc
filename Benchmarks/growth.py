"""What a thing costs when there are many: from 1 to 10,000 assets, from 10 to 100,000 segments, from 1 to 1,000 clients.

The peer of a row is the same measurement of few; a ratio near 1 is a cost that does not grow.
"""
import shutil
import time

import assets
import product
import serving
from measure import Row, machine_is_idle, median, status_field
from storing import multiply, timed_command

ASSETS = [1, 10, 100, 1_000, 10_000]
SEGMENTS = [10, 100, 1_000, 10_000, 100_000]
CLIENTS = [1, 10, 100, 1_000]


class Growth:
    """Rows of one axis, filled size by size."""

    def __init__(self, noun, sizes, units):
        self.noun, self.sizes = noun, sizes
        self.measured = {what: (unit, []) for what, unit in units.items()}
        self.idle = True

    def add(self, size, values):
        for what, value in values.items():
            self.measured[what][1].append((size, value))

    def rows(self):
        for what, (unit, series) in self.measured.items():
            row = Row("growth", f"{series[-1][0]:,} {self.noun}: {what}", unit, "lower", f"with {series[0][0]:,}",
                      series=series)
            row.add(series[-1][1], series[0][1], self.idle)
            yield row


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
    for size in ASSETS:
        store, token = store_of(options, size)
        growth.idle &= machine_is_idle(options.patience)
        starts = [seconds_until_ready(store) for _ in range(options.pairs)]
        growth.add(size, {
            "serve until it listens": median(seconds for seconds, _ in starts),
            "memory at rest": median(memory for _, memory in starts),
            "status of one": repeated(options, store, "status", token),
            "list --limit 100": repeated(options, store, "list", "--limit", "100")})
    yield from growth.rows()


def repeated(options, store, *arguments):
    """The median seconds of a command."""
    return median(timed_command(options, store, *arguments, "--json").seconds for _ in range(options.pairs))


def plain_folder(options, segments):
    """An HLS folder of so many segments of two packets."""
    folder = options.work / f"segments-{segments}"
    if (folder / "index.m3u8").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    packets = (b"\x47\x1f\xff\x10" + b"\xff" * 184) * 2
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
    for size in SEGMENTS:
        store, token = asset_of(options, size)
        growth.idle &= machine_is_idle(options.patience)
        gets = [first_playlist(store, token) for _ in range(options.pairs)]
        growth.add(size, {
            "playable": repeated(options, store, "playable", token),
            "first GET of the playlist": median(seconds for seconds, _ in gets),
            "memory after it": median(memory for _, memory in gets)})
    yield from growth.rows()


def many_clients(options):
    store, _, paths = serving.prepare(options)
    path = paths["playlist of 2 kB"][0]
    growth = Growth("clients", CLIENTS, {"memory": "MiB", "a request of one more": "ms"})
    for size in CLIENTS:
        growth.idle &= machine_is_idle(options.patience)
        with product.Server(store) as server:
            memory, milliseconds = serving.hold(server.port, path, size, [server.child.pid])
        growth.add(size, {"memory": memory, "a request of one more": milliseconds})
    yield from growth.rows()


def rows(options):
    yield from many_assets(options)
    yield from many_segments(options)
    yield from many_clients(options)
