"""Several machines that share a store, on one machine: what players cost when they ask more nodes, and how much more nodes serve.

Eight nodes run all the time, with PostgreSQL and an S3 server (moto); players ask one, two, four or eight of them. The peer is
the one node that is active, asked alone. CPU time is that of all nodes, less what they take without players. For the capped
rows each node gets a tenth of a core (a control group, which needs root), as if each had a small machine of its own; the
peer's figure is that of one node times the number of nodes, so that x1.00 is as good as it can be.

The simulation (`simulation.py`) gets the costs of a request that were measured here, and the capacity of a node. Its figures
stand beside the measured ones, then for up to 64 nodes beside as many times what one node serves.
"""
import http.client
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import assets
import product
import simulation
from measure import Row, machine_is_idle
from origin import Nginx

sys.path.append(str(Path(__file__).resolve().parent.parent / "Tests/Endurance"))
COUNTS = [1, 2, 4, 8]
SHARE = 0.1  # of a core
CONNECTIONS = 4  # of players to each node
PLAYERS, ROUNDS, SEGMENTS = 16, 2, 160  # of all nodes together


class Cap:
    """A control group that limits the CPU time of a process."""
    FOLDERS = [Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")]
    PERIOD = 20_000  # µs

    @classmethod
    def parent(cls):
        """The folder of the groups; `None` where there is none, or without the right to make one."""
        found = (folder for folder in cls.FOLDERS if (folder / "cgroup.procs").exists())
        return next(found, None) if os.geteuid() == 0 else None

    def __init__(self, pid, share):
        self.pid, self.folder = pid, self.parent() / f"offline-server-{pid}"
        self.folder.mkdir()
        quota = int(share * self.PERIOD)
        if (self.folder / "cpu.max").exists():
            (self.folder / "cpu.max").write_text(f"{quota} {self.PERIOD}")
        else:
            (self.folder / "cpu.cfs_period_us").write_text(str(self.PERIOD))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))
        (self.folder / "cgroup.procs").write_text(str(pid))

    def end(self):
        (self.folder.parent / "cgroup.procs").write_text(str(self.pid))
        self.folder.rmdir()


def cpu(node):
    """Seconds of CPU that the threads of a node have used. None of them ends while it serves."""
    total = 0
    for task in Path(f"/proc/{node.child.pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


class Nodes:
    """Eight nodes of one store, of which the first is active."""

    def __init__(self, options):
        self.folder = options.work / "nodes"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.nodes, self.caps = [], []

    def __enter__(self):
        from services import Services
        self.services = Services(self.folder)
        try:
            for number in range(max(COUNTS)):
                self.start(number)
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, number):
        store = self.folder / f"node-{number}"
        store.mkdir()
        if number:
            shutil.copy(self.folder / "node-0/store.key", store / "store.key")
        node = product.Server(store, *self.services.options).__enter__()
        self.nodes.append(node)
        for _ in range(600):
            try:
                return node.get("/readyz")
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"node {number} is not ready")

    def __exit__(self, *_):
        self.cap(None)
        for node in reversed(self.nodes):
            node.__exit__()
        self.services.stop()

    def add(self, url):
        """Stores a stream; the paths of its segments."""
        node = self.nodes[0]
        request = urllib.request.Request(f"{node.url}/api/v1/assets", json.dumps({"url": url}).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            token = json.load(response)["token"]
        while json.loads(node.get(f"/api/v1/assets/{token}"))["state"] != "complete":
            time.sleep(0.1)
        playlist = node.media_playlist(token)
        lines = node.get(playlist).decode().splitlines()
        return [product.resolve(playlist, line) for line in lines if line and not line.startswith("#")]

    def cap(self, share):
        """Gives each node this share of a core; `None`: as much as there is."""
        for cap in self.caps:
            cap.end()
        self.caps = [] if share is None else [Cap(node.child.pid, share) for node in self.nodes]

    def idle(self, seconds=3):
        """CPU seconds of all nodes in a second without players."""
        before = sum(map(cpu, self.nodes))
        time.sleep(seconds)
        return (sum(map(cpu, self.nodes)) - before) / seconds


def play(node, paths, rounds):
    """One player, which gets all segments in order; the bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", node.port)
    size = 0
    for _ in range(rounds):
        for path in paths:
            connection.request("GET", path)
            response = connection.getresponse()
            if response.status != 200:
                raise RuntimeError(f"{path}: {response.status}")
            size += len(response.read())
    connection.close()
    return size


def played(nodes, paths, rounds):
    """The seconds that a number of players take, which share these nodes, and the CPU time of each node."""
    before, started = [cpu(node) for node in nodes], time.monotonic()
    with ThreadPoolExecutor(PLAYERS) as pool:
        list(pool.map(lambda node: play(node, paths, rounds), nodes * (PLAYERS // len(nodes))))
    return time.monotonic() - started, [cpu(node) - then for node, then in zip(nodes, before)]


def load(node, path, seconds):
    text = subprocess.run(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", node.url + path], capture_output=True,
                          text=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if not rate or "Non-2xx" in text:
        raise RuntimeError(f"wrk {node.url}{path}: {text}")
    return float(rate[1])


def rate(nodes, path, seconds):
    """Requests a second of all of these nodes, asked at the same time."""
    with ThreadPoolExecutor(len(nodes)) as pool:
        return sum(pool.map(lambda node: load(node, path, seconds), nodes))


def first_requests(options, cluster, fresh):
    """What the active node spends on segments that another node has never had, beside sending them itself."""
    row = Row("nodes", "the first request for 1,000 segments of 1 MB at another node: CPU time of the active node", "ms",
              "lower", "the active node sends them")
    for number in range(options.pairs):
        idle = machine_is_idle(options.patience)
        active, paths = cluster.nodes[0], fresh[number % len(fresh)]
        before = cpu(active)
        play(cluster.nodes[1 + number % (len(cluster.nodes) - 1)], paths, 1)
        ours, before = cpu(active) - before, cpu(active)
        play(active, paths, 1)
        row.add(ours / len(paths) * 1e6, (cpu(active) - before) / len(paths) * 1e6, idle)
    return row


def confirmations(options, cluster, path):
    """What the active node spends on the question of another node whether a segment that it keeps is still right."""
    row = Row("nodes", "1,000 confirmations of a segment that another node keeps: CPU time of the active node", "ms", "lower",
              "it sends 1,000 of them")
    active = cluster.nodes[0]
    tag = urllib.request.urlopen(active.url + path).headers["ETag"]

    def asked(fields, count):
        connection, before = http.client.HTTPConnection("127.0.0.1", active.port), cpu(active)
        for _ in range(count):
            connection.request("GET", path, headers=fields)
            connection.getresponse().read()
        connection.close()
        return (cpu(active) - before) / count * 1e6

    for _ in range(options.pairs):
        idle = machine_is_idle(options.patience)
        row.add(asked({"If-None-Match": tag}, 10_000), asked({}, 1000), idle)
    return row


def costs(options, cluster, paths):
    """CPU time for each 1,000 segments, for the numbers of nodes that players ask."""
    rows = [Row("nodes", f"1,000 segments of 1 MB from {count} nodes: CPU time of all nodes", "ms", "lower", "one node")
            for count in COUNTS[1:]]
    for node in cluster.nodes:
        play(node, paths[:SEGMENTS // 2], 1)
    play(cluster.nodes[0], paths, 1)
    for number in range(options.pairs):
        idle = machine_is_idle(options.patience)
        rest = cluster.idle()
        found = {}
        for count in COUNTS if number % 2 == 0 else reversed(COUNTS):
            # As many requests, and as many bytes on the disks of all nodes together, which the CPUs' caches feel.
            seconds, used = played(cluster.nodes[:count], paths[:SEGMENTS // count], ROUNDS * count)
            spent = sum(used) - rest * seconds * count / len(cluster.nodes)
            found[count] = spent / (PLAYERS * ROUNDS * SEGMENTS) * 1e6
        for count, row in zip(COUNTS[1:], rows):
            row.add(found[count], found[1], idle)
    return rows


def capped(options, cluster, path):
    """Requests a second with a tenth of a core for each node, beside as many times what one node serves.

    Also the requests a second of one node that is not active, alone.
    """
    rows = [Row("nodes", f"{count} nodes with a tenth of a core each: a segment of 1 MB", "requests/s", "higher",
                f"{count} x one node") for count in COUNTS[1:]]
    standby = []
    cluster.cap(SHARE)
    try:
        for number in range(options.pairs):
            idle = machine_is_idle(options.patience)
            found = {count: rate(cluster.nodes[:count], path, options.seconds)
                     for count in (COUNTS if number % 2 == 0 else reversed(COUNTS))}
            standby.append(rate(cluster.nodes[1:2], path, options.seconds))
            for count, row in zip(COUNTS[1:], rows):
                row.add(found[count], count * found[1], idle)
    finally:
        cluster.cap(None)
    return rows, statistics.median(standby)


def rows(options):
    folder = assets.make(options.work, "nodes-1m", assets.BIG, 50, 2)
    with Nginx(folder, options.work / "nginx-nodes", 2) as nginx, Nodes(options) as cluster:
        fresh = [cluster.add(f"{nginx.url}/index.m3u8?{number}") for number in range(options.pairs)]
        yield first_requests(options, cluster, fresh)
        confirmed = confirmations(options, cluster, fresh[0][0])
        yield confirmed
        yield from costs(options, cluster, sum(fresh, [])[:SEGMENTS])
        if Cap.parent():
            measured, standby = capped(options, cluster, fresh[0][0])
            yield from measured
            yield from simulation.rows(confirmed, measured, standby, SHARE, CONNECTIONS)
