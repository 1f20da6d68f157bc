"""The first byte of a segment that is not stored, for a player that seeks while 10,000 downloads are entered.

The asset is paused, so that each seek goes to its origin, nginx on the same machine. The peer is nginx with a cache
(`proxy_cache`) in front of that origin, asked for the same segments while our server takes the same 10,000: the machine
is as busy for both. "Nothing entered" is our server with nothing else to do.
"""
import http.client
import json
import random
import shutil
import subprocess
import time

import assets
import engine
import origin
import product
from measure import Row, machine_is_idle

WHAT = "first byte of a segment that is not stored"
CACHE, IDLE = "nginx proxy_cache", "nothing entered"
SERVER = "server {{ listen 127.0.0.1:{port} backlog=1024; root \"{root}\"; }}"
PROXY = ("proxy_cache_path {prefix}/cache keys_zone=k:8m; server {{ listen 127.0.0.1:{port};"
         " location / {{ proxy_pass {upstream}; proxy_cache k; proxy_cache_valid 1h; }} }}")
# A browser gives up no earlier than this.
PATIENCE = 30


class Cache(origin.Nginx):
    """nginx with a cache in front of another one."""

    def __init__(self, upstream, prefix):
        shutil.rmtree(prefix, ignore_errors=True)
        super().__init__(prefix, prefix, 2)
        file = self.prefix / "nginx.conf"
        text = file.read_text().replace(
            SERVER.format(port=self.port, root=self.root),
            PROXY.format(prefix=self.prefix, port=self.port, upstream=upstream))
        file.write_text(text)


def first_byte(port, path):
    """Milliseconds until the first byte of the content is there; all of it is read."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    started = time.monotonic()
    connection.request("GET", path)
    response = connection.getresponse()
    response.read(1)
    milliseconds = (time.monotonic() - started) * 1000
    response.read()
    connection.close()
    if response.status != 200:
        raise RuntimeError(f"GET {path}: {response.status}")
    return milliseconds


def late(values):
    """The 99th percentile."""
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]


def seeks(port, paths, until):
    """The first bytes of some segments, one after the other in no order, until something has ended."""
    found = []
    for path in paths:
        found.append(first_byte(port, path))
        if until(len(found)):
            return late(found)
    return late(found)


def paused_asset(server, secret, url):
    """Adds a stream and pauses it at once; its token."""
    token = json.loads(engine.call(server, secret, "POST", "assets", {"url": url}))["token"]
    engine.call(server, secret, "POST", f"assets/{token}/pause", {})
    return token


def one_round(options, nginx, folder, silent):
    """The three figures of a round: ours while others are entered, the cache's, ours with nothing else to do."""
    store = options.work / "store-seek"
    shutil.rmtree(store, ignore_errors=True)
    names = [file.name for file in assets.segment_files(folder)]
    random.Random(len(names)).shuffle(names)
    third = len(names) // 3
    with Cache(nginx.url, options.work / "nginx-cache") as cache, \
            product.Server(store, "--origin-fallback", "always") as server:
        secret = (store / "api-token").read_text().strip()
        token = paused_asset(server, secret, f"{nginx.url}/{folder.name}/index.m3u8")
        base = server.first_segment(token).rpartition("/")[0]

        def ours(some, until):
            return seeks(server.port, [f"{base}/{name}" for name in some], until)

        idle = ours(names[:third], lambda count: count == 200)
        entering = entered(options, store, silent)
        busy = ours(names[third:2 * third], lambda _: entering.poll() is not None)
        entering.wait()
        engine.command(options, store, "remove", "--all")
        entering = entered(options, store, silent)
        cached = seeks(cache.port, [f"/{folder.name}/{name}" for name in names[2 * third:]],
                       lambda _: entering.poll() is not None)
        entering.wait()
    return busy, cached, idle


def entered(options, store, silent):
    """The command that enters all downloads, begun."""
    return subprocess.Popen(
        [str(product.BINARY), "download", "--input", str(engine.list_of_urls(options, silent)), "--detach", "--json"],
        env=product.environment(store), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def rows(options):
    folder = assets.download_assets(options.work)["2,000 x 10 kB"]
    listener, silent = engine.silent_origin()
    against = {peer: Row("seeking", f"{WHAT}, 99th percentile, while {engine.ASSETS:,} are entered", "ms", "lower", peer)
               for peer in (CACHE, IDLE)}
    with listener, origin.Nginx(options.work, options.work / "nginx", 2) as nginx:
        for _ in range(options.pairs):
            idle_machine = machine_is_idle(options.patience)
            busy, cached, idle = one_round(options, nginx, folder, silent)
            against[CACHE].add(busy, cached, idle_machine)
            against[IDLE].add(busy, idle, idle_machine)
    yield from against.values()
