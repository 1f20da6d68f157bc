"""Downloading against aria2c, curl, ffmpeg, yt-dlp and streamlink, over three networks.

aria2c and curl get the list of segments, read no playlist and sync nothing to disk: they are the limit of what the
line allows. Ours parses, plans, hashes and makes each segment durable. "The disk" writes the same files and flushes them.
"""
import hashlib
import shutil
from pathlib import Path

import assets
import limits
import product
from measure import Row, Run, machine_is_idle, run
from origin import Link, Nginx

OURS, DISK = "offline-server", "the disk"
VENV = Path(__file__).resolve().parent / "work/venv/bin"
NETWORKS = [("loopback", 0.0, 0.0, ["200 x 1 MB", "2,000 x 10 kB"]),
            ("40 ms round trip", 0.04, 0.0, ["200 x 1 MB", "2,000 x 10 kB"]),
            ("20 Mbit/s", 0.04, 20e6, ["25 x 1 MB", "2,000 x 10 kB"])]
PEERS = {
    "aria2c -j16": "aria2c --no-conf -q -j16 -x1 --file-allocation=none --auto-file-renaming=false -d {files} -i {list}",
    "curl --parallel-max 16": "curl -s --no-progress-meter --fail --parallel --parallel-max 16 -K {config}",
    "ffmpeg -c copy": "ffmpeg -nostdin -v error -y -i {url} -map 0 -c copy -f mpegts {out}",
    "yt-dlp -N 8": "{venv}/yt-dlp --ignore-config -q --no-warnings --no-progress --hls-prefer-native --fixup never"
                   " --no-mtime --no-cache-dir -N 8 -o {out} {url}",
    "streamlink": "{venv}/streamlink --no-config -l error --force --stream-segment-threads 8 --ringbuffer-size 64M"
                  " -o {out} hls://{url} best",
}


class Job:
    """One download of an asset into a fresh folder."""

    def __init__(self, options, base, folder):
        self.options, self.folder = options, folder
        self.segments = assets.segment_files(folder)
        self.scratch = options.work / "download"
        shutil.rmtree(self.scratch, ignore_errors=True)
        (self.scratch / "files").mkdir(parents=True)
        self.base = f"{base}/{folder.name}"
        self.out = self.scratch / "out.ts"
        urls = [f"{self.base}/{segment.name}" for segment in self.segments]
        (self.scratch / "list").write_text("\n".join(urls) + "\n")
        (self.scratch / "config").write_text("".join(
            f'url="{url}"\noutput="{self.scratch}/files/{url.rpartition("/")[2]}"\n' for url in urls))

    def by(self, name):
        """What it takes one of all, or `None` for one that was stopped."""
        return self.ours() if name == OURS else self.disk() if name == DISK else self.peer(name)

    def disk(self):
        return Run(limits.write_seconds(self.scratch / "files", self.segments), 0, 0, 0, "", "")

    def peer(self, name):
        words = PEERS[name].format(
            url=f"{self.base}/index.m3u8", out=self.out, files=self.scratch / "files", venv=VENV,
            list=self.scratch / "list", config=self.scratch / "config").split(" ")
        files = [self.scratch / "files" / segment.name for segment in self.segments]
        return self.checked(name, run(words, self.options.limit, folder=self.scratch), files)

    def ours(self):
        store = self.scratch / "store"
        done = run([str(product.BINARY), "download", f"{self.base}/index.m3u8", "--quiet"], self.options.limit,
                   {"OFFLINE_SERVER_STORE": str(store)}, self.scratch)
        stored = sorted((store / "assets").glob("*/*/*.ts"), key=assets.natural)
        return self.checked(OURS, done, stored)

    def checked(self, name, done, files):
        """The run, if it holds every byte of the origin; a remultiplexed copy is only checked for its size."""
        if done.status == -9:
            return None
        if done.status:
            raise RuntimeError(f"{name} ended with status {done.status}: {done.errors[-300:]}")
        if self.out.exists():
            if self.out.stat().st_size < 0.8 * sum(segment.stat().st_size for segment in self.segments):
                raise RuntimeError(f"{name} left media out")
        elif digest(files) != digest(self.segments):
            raise RuntimeError(f"{name} stored other bytes than the origin's")
        return done


def digest(files):
    total = hashlib.sha256()
    for file in files:
        total.update(file.read_bytes())
    return total.hexdigest()


def compare(options, link, network, title, folder):
    """One row a peer; each round runs ours once and every peer that still keeps the limit, in turn from either end."""
    # Two builds are compared with each other: one quick peer is enough.
    peers = ["aria2c"] if options.alone else options.peers
    names = [name for name in PEERS if not peers or name.split()[0] in peers]
    names += [DISK] if network == "loopback" and not options.alone else []
    rows = {name: Row("download", f"{title}, {network}", "s", "lower", name) for name in names}
    memory = Row("download", f"{title}, {network}: peak memory", "MiB", "lower", "aria2c -j16")
    tired = set()
    for number in range(options.pairs):
        idle = machine_is_idle(options.patience)
        order = [name for name in [OURS, *names] if name not in tired]
        done = {name: Job(options, link.url, folder).by(name) for name in order[::-1 if number % 2 else 1]}
        ours = done.pop(OURS)
        if ours is None:
            raise RuntimeError(f"offline-server needed more than {options.limit} s for {title}, {network}")
        for name, theirs in done.items():
            if theirs is None:
                tired.add(name)
                rows[name].bound, rows[name].note = True, f"the peer was stopped after {options.limit} s"
            rows[name].add(ours.seconds, theirs.seconds if theirs else options.limit, idle)
            if theirs and name == "aria2c -j16":
                memory.add(ours.peak, theirs.peak, idle)
    return [*rows.values(), memory]


def rows(options):
    made = assets.download_assets(options.work)
    for network, delay, rate, titles in NETWORKS:
        if options.networks and network not in options.networks:
            continue
        with Nginx(options.work, options.work / "nginx", 2) as nginx, Link(nginx, delay, rate) as link:
            for title in titles:
                yield from compare(options, link, network, title, made[title])
    shutil.rmtree(options.work / "download", ignore_errors=True)
