"""Serving against nginx: throughput with wrk, a thousand idle connections, memory.

Bare sendfile is what the kernel moves over loopback to readers that drop it, with no HTTP at all: the best of 1, 2 and 4
connections.
"""
import re
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import assets
import limits
import product
from measure import Row, compare, compare_all, median, status_field
from origin import Nginx

KINDS = [("playlist of 2 kB", "2 kB", "playlist"), ("playlist of 20 kB", "20 kB", "playlist"),
         ("segment of 1 MB", "1 MB", "segment"), ("segment of 4 MB", "4 MB", "segment")]


def wrk(url, seconds):
    """Requests a second over 16 connections; any answer but 2xx is an error of the benchmark."""
    text = subprocess.run(["wrk", "-t1", "-c16", f"-d{seconds}s", url], capture_output=True, text=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if not rate or "Non-2xx" in text:
        raise RuntimeError(f"wrk {url}: {text}")
    return float(rate[1])


def prepare(options):
    """A store with the assets to serve, and for each kind our path and nginx's file with the same bytes."""
    store, root = options.work / "store-serve", options.work / "nginx-serve"
    root.mkdir(exist_ok=True)
    made = assets.serving_assets(options.work)
    tokens = {name: product.imported(store, folder) for name, folder in made.items()}
    paths = {}
    with product.Server(store) as server:
        for title, name, kind in KINDS:
            token = tokens[name]
            path = server.media_playlist(token) if kind == "playlist" else server.first_segment(token)
            file = root / (name.replace(" ", "") + (".m3u8" if kind == "playlist" else ".ts"))
            file.write_bytes(server.get(path))
            paths[title] = (path, file.name, file.stat().st_size)
    return store, root, paths


def throughput(options, server, nginx, paths):
    for title, _, _ in KINDS:
        path, name, size = paths[title]
        row = Row("serving", f"{title} ({size:,} bytes), 16 connections", "requests/s", "higher", "nginx")
        yield compare(options, row, lambda: wrk(server.url + path, options.seconds),
                      lambda: wrk(f"{nginx.url}/{name}", options.seconds))


def beside_the_limit(options, server, paths, root):
    """The largest bodies against what loopback carries."""
    path, name, size = paths["segment of 4 MB"]
    row = Row("serving", "segment of 4 MB: bytes, 16 connections", "MB/s", "higher", "bare sendfile")
    yield compare(options, row, lambda: wrk(server.url + path, options.seconds) * size / 1e6,
                  lambda: limits.sendfile_rate(root / name, options.seconds) / 1e6)


def resident(pids):
    return sum(status_field(pid, "VmRSS") for pid in pids)


def loaded(url, seconds, pids):
    """MiB that a server has on average while the largest bodies are served, and two seconds after that."""
    with ThreadPoolExecutor(1) as pool:
        load, samples = pool.submit(wrk, url, seconds), []
        while not load.done():
            time.sleep(0.05)
            samples.append(resident(pids))
        load.result()
    time.sleep(2)
    return median(samples), resident(pids)


def under_load(options, store, root, paths):
    path, name, _ = paths["segment of 4 MB"]
    during = Row("serving", "memory under load: segment of 4 MB, 16 connections", "MiB", "lower", "nginx")
    after = Row("serving", "memory two seconds after that", "MiB", "lower", "nginx")

    def ours():
        with product.Server(store) as server:
            return loaded(server.url + path, options.seconds, [server.child.pid])

    def theirs():
        with Nginx(root, options.work / "nginx", 2) as nginx:
            return loaded(f"{nginx.url}/{name}", options.seconds, nginx.pids())

    yield from compare_all(options, (during, after), ours, theirs)


def request(connection, path):
    """One GET on an open connection; the status and the seconds it took."""
    started = time.monotonic()
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{connection.getpeername()[1]}\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        got = connection.recv(65536)
        if not got:
            raise RuntimeError(f"the server closed an idle connection before it answered {path}")
        head += got
    head, _, body = head.partition(b"\r\n\r\n")
    left = int(re.search(rb"(?i)content-length: (\d+)", head)[1]) - len(body)
    while left > 0:
        left -= len(connection.recv(65536))
    return int(head.split()[1]), time.monotonic() - started


def hold(port, path, count, pids):
    """Opens `count` connections that each asked once; MiB per process group, and one more client's median time."""
    connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    try:
        for connection in connections:
            request(connection, path)
        memory = resident(pids)
        active = socket.create_connection(("127.0.0.1", port))
        times = [request(active, path)[1] for _ in range(200)]
        active.close()
        alive = sum(request(connection, path)[0] == 200 for connection in connections)
    finally:
        for connection in connections:
            connection.close()
    if alive != count:
        raise RuntimeError(f"{count - alive} of {count} idle connections were not answered")
    return memory, median(times) * 1000


def idle_connections(options, store, root, paths):
    path, name, _ = paths["playlist of 2 kB"]
    memory = Row("serving", "1,000 idle connections held: memory", "MiB", "lower", "nginx")
    latency = Row("serving", "1,000 idle connections held: a request", "ms", "lower", "nginx")
    idle_memory = Row("serving", "memory at rest", "MiB", "lower", "nginx")

    def measured(port, path, pids):
        time.sleep(1)
        return resident(pids), *hold(port, path, 1000, pids)

    def ours():
        with product.Server(store) as server:
            return measured(server.port, path, [server.child.pid])

    def theirs():
        with Nginx(root, options.work / "nginx", 2) as nginx:
            return measured(nginx.port, "/" + name, nginx.pids())

    yield from compare_all(options, (idle_memory, memory, latency), ours, theirs)


def rows(options):
    store, root, paths = prepare(options)
    with product.Server(store) as server, Nginx(root, options.work / "nginx", 2) as nginx:
        yield from throughput(options, server, nginx, paths)
        yield from beside_the_limit(options, server, paths, root)
    yield from under_load(options, store, root, paths)
    yield from idle_connections(options, store, root, paths)
