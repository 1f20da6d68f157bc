#!/usr/bin/env python3
"""Kills the server at random moments while it downloads, records, plays and changes assets, and looks what is left.

After each kill the next server must start, and what it acknowledged before must hold: a complete asset is complete
and right, a removed one is gone, an added one is known, a change is made. At the end every asset is downloaded and
compared byte for byte, the database is intact, and its rows and the store's files know each other, one by one.
`--disk-faults` has file operations fail by chance, too. `--power-cuts` leaves only what was flushed to the disk before
the kill; it mounts a file system of its own for that, which takes root's rights: without them it says that it did not
try, and fails where `CI` is set.
"""
import argparse
import asyncio
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import changes
import disk
import holding
import inspection
import origin
import playing
import product
from streams import Stream

HERE = Path(__file__).resolve().parent
# What happens at least once in so many seconds that servers may live; else something is not tried any more.
LEAST = {
    25: ["kills", "added", "complete", "segments played"],
    45: ["removed"],
    300: ["keys", "batch", "recording", "sealed", "edit", "purge", "resume", "relink", "verify", "repair",
          "track added", "track removed", "subtitle file", "deposit", "license", "export", "import", "prune",
          "recording ended"],
}
# The same of what failed: the call, on which kind of file, how.
LEAST_FAULTS = {
    25: ["pwrite"],
    300: ["fdatasync", "open", "write", "fsync", "rename", "mkdir", "unlink", "rmdir", "pread", "fallocate",
          "pwrite catalog.db-wal ENOSPC", "pwrite catalog.db-wal EIO", "pwrite catalog.db-wal short",
          "fdatasync catalog.db-wal", "pwrite part short"],
}
LEAST_CUTS = {300: ["cuts that took media"]}


class Crash:
    """What was acknowledged, and what breaks it."""

    def __init__(self, folder, source, arguments, log):
        self.folder, self.source, self.arguments = folder, source, arguments
        self.disk = disk.Disk(folder) if arguments.power_cuts else None
        self.store = (self.disk.path if self.disk else folder) / "store"
        self.random = random.Random(arguments.seed)
        self.has_disk_faults = arguments.disk_faults
        self.environment = self.fault_environment() if arguments.disk_faults else {}
        self.log, self.next, self.is_over = log, 0, False
        self.assets, self.removed, self.counts, self.wrong = {}, set(), Counter(), []
        # What was known of assets when their removal was requested; it may not have been done.
        self.leaving = {}

    def fault_environment(self):
        library = self.folder / "faults.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, HERE / "faults.c", "-ldl"], check=True)
        return {"LD_PRELOAD": str(library), "FAULT_ROOT": str(self.store), "FAULT_FOLDER": str(self.folder),
                "FAULT_ONE_IN": "100"}

    def note(self, sentence):
        self.wrong.append(sentence)
        print("WRONG:", sentence, file=sys.stderr)

    def server(self):
        return product.Server(
            self.arguments.binary, self.store, self.log, self.environment, ["--max-downloads", "6"])

    async def run(self):
        for number in range(self.arguments.rounds):
            await self.round()
            if number % 10 == 9:
                print(f"{number + 1} rounds: {dict(self.counts)}", file=sys.stderr)
        await self.finish()

    async def round(self):
        """Starts a server, has it work, kills it."""
        server = self.server()
        if not await server.start():
            self.counts["start refused"] += 1
            if not self.has_disk_faults:
                self.note("the server did not start again")
            return
        await self.check(server)
        jobs = [asyncio.ensure_future(job) for job in (
            self.adder(server), self.remover(server), self.player(server), self.player(server), self.pauser(server),
            changes.Changer(self, server).run())]
        await asyncio.sleep(self.random.random() ** 2 * self.arguments.longest)
        if server.child.returncode is not None:
            self.note(f"the server ended by itself with {server.child.returncode}")
        if self.disk:
            server.child.send_signal(signal.SIGSTOP)
            self.disk.cut()
        server.kill()
        await server.child.wait()
        await self.end(jobs)
        if self.disk:
            self.restore()
        self.counts["kills"] += 1

    def restore(self):
        """Goes on with what the disk kept, and counts what it did not: a cut that takes nothing is none."""
        media, log = self.held()
        self.disk.restore()
        kept_media, kept_log = self.held()
        self.counts["cuts that took media"] += kept_media != media
        self.counts["cuts that took some of the catalog's log"] += kept_log != log

    def held(self):
        """The sizes of the media, and the bytes of the catalog's log."""
        media = {path: path.stat().st_size for path in (self.store / "assets").glob("*/*/*") if path.suffix != ".head"}
        log = self.store / "catalog.db-wal"
        return media, log.read_bytes() if log.exists() else b""

    async def end(self, jobs):
        for job in jobs:
            if job.done() and job.exception():
                raise job.exception()
        while jobs:  # A cancellation that meets the end of a wait is lost; then it is said again.
            for job in jobs:
                job.cancel()
            _, jobs = await asyncio.wait(jobs, timeout=1)

    async def check(self, server):
        """What was acknowledged before the kill holds."""
        for token in self.random.sample(sorted(self.removed), min(3, len(self.removed))):
            status, _ = await holding.asset_of(server, token)
            if status != 404:
                self.note(f"{token} was removed, and is back: {status}")
        for token, known in list(self.assets.items()):
            status, asset = await holding.asset_of(server, token)
            if asset is None:
                self.note(f"{token} was added, and is gone: {status}")
                self.assets.pop(token)
                continue
            for sentence in known.broken(asset, self.has_disk_faults):
                self.note(f"{token} ({known.stream.name}) {sentence}")
            await self.check_key(server, token, known, asset)
        whole = [token for token, known in self.assets.items() if known.is_complete and not known.is_damaged]
        if whole:
            await self.fetch(server, self.random.choice(whole), must=not self.has_disk_faults)

    async def check_key(self, server, token, known, asset):
        """What was looked into has its key, before a byte of its media comes; what was deposited is there."""
        wanted = known.blob
        if known.stream.has_key and "not-resolved" not in asset["playable"]["blocked_by"]:
            wanted = origin.key(known.stream.number)
        if wanted is None:
            return
        for _ in range(5 if self.has_disk_faults else 1):
            if await holding.key_of(server, token) == wanted:
                self.counts["keys"] += 1
                return
        self.note(f"{token} ({known.stream.name}) has not got its key")

    async def adder(self, server):
        while True:
            if len(self.assets) < 6:
                self.next += 1
                shape, segments = self.random.choice(["plain", "plain", "rich"]), self.random.choice([2, 30, 120])
                stream = Stream(self.next, min(segments, 40) if shape == "rich" else segments, shape)
                reply = await server.call("POST", "/assets", {"url": self.source.url(*stream)})
                if reply and reply.status == 201 and reply.whole:
                    self.assets[reply.json["token"]] = holding.Known(stream)
                    self.counts["added"] += 1
            await self.look(server)
            await asyncio.sleep(0.05)

    async def look(self, server):
        """Takes note of what is complete, and has everything go on that does not by itself."""
        for token, known in list(self.assets.items()):
            version, was_complete = known.version, known.is_complete
            _, asset = await holding.asset_of(server, token)
            if asset is None or known.version != version or known.lock.locked():
                continue
            self.counts["complete"] += known.see(asset) and not was_complete
            await self.help(server, token, known, asset)

    async def help(self, server, token, known, asset):
        state = asset["state"]
        is_left = state == "cancelled" and (self.is_over or self.random.random() < 0.05)
        is_damaged = state == "complete" and not known.is_complete
        if is_damaged and not known.is_damaged and not self.has_disk_faults:
            self.note(f"{token} ({known.stream.name}) is complete, and is not: {asset['playable']}")
        async with known.lock:
            if is_damaged or is_left and known.is_imported:
                known.forget("state", "purged", progress=True)
                known.is_damaged = True
                await server.call("POST", f"/assets/{token}/repair", {})
            elif is_left or state in ("failed", "paused"):
                known.forget("state", "purged", "recording")
                await server.call("POST", f"/assets/{token}/resume", {})

    async def remover(self, server):
        while True:
            await asyncio.sleep(self.random.random() * 0.6)
            known = [token for token, known in self.assets.items() if known.is_complete or self.random.random() < 0.2]
            if len(known) < 2:
                continue
            token = self.random.choice(known)
            known = self.leaving[token] = self.assets.pop(token)
            async with known.lock:
                reply = await server.call("DELETE", f"/assets/{token}")
            if reply and reply.status == 204:
                self.removed.add(token)
                self.counts["removed"] += 1
            else:  # Perhaps it was; only what is acknowledged counts.
                self.counts["removal not acknowledged"] += 1

    async def pauser(self, server):
        while True:
            await asyncio.sleep(self.random.random() * 0.5)
            if self.assets:
                token, known = self.random.choice(list(self.assets.items()))
                async with known.lock:
                    known.forget("state", "purged", "recording")
                    await server.call("POST", f"/assets/{token}/{self.random.choice(['pause', 'resume'])}", {})

    async def player(self, server):
        while True:
            await asyncio.sleep(self.random.random() * 0.1)
            if self.assets:
                await self.fetch(server, self.random.choice(list(self.assets)))

    async def fetch(self, server, token, must=False):
        """Plays some segment of an asset, perhaps of one of its other renditions."""
        stream = self.assets[token].stream
        number = self.random.randrange(stream.segments)
        if stream.shape == "rich":
            file = self.random.choice(["video-360p/{}.m4s", "video-360p/init-0.mp4", "audio-en/{}.m4s",
                                       "subtitles-en/{}.vtt"])
        else:
            file = "video/{}.ts"
        # What a recording has missed, or ended before, is not there.
        await self.compare(server, token, stream, file.format(number), must and stream.shape != "live")

    async def compare(self, server, token, stream, path, must):
        wanted = stream.expected_at(path)
        reply = await product.request(server.port, "GET", f"/assets/{token}/{path}")
        good = reply is not None and reply.whole and reply.status == 200
        if good and wanted is not None and reply.body != wanted:
            self.note(f"{token} ({stream.name}) {path}: {len(reply.body)} wrong bytes")
        if must and not good:
            self.note(f"{token} ({stream.name}) {path} can't be had: {reply and (reply.status, reply.body[:200])}")
        self.counts["segments played" if good else "segments not had"] += 1

    async def deposit(self, server, token, known):
        """Brings the key of a key system, as a client of it does."""
        known.blob, blob = None, self.random.randbytes(40)
        reply = await product.request(server.port, "PUT", f"/assets/{token}/keys/k0.key", body=blob)
        if reply and reply.status in (201, 204):
            known.blob = blob
            self.counts["deposit"] += 1

    async def finish(self):
        """Without faults everything gets done, and nothing is left over."""
        (self.folder / "faults-off").touch()
        self.source.behave()
        self.is_over = True
        server = self.server()
        if not await server.start():
            return self.note("the last server did not start")
        await self.check(server)
        await self.adopt(server)
        deadline = time.monotonic() + 180
        while any(not known.is_complete for known in self.assets.values()) and time.monotonic() < deadline:
            await self.look(server)
            await asyncio.sleep(0.2)
        for token, known in self.assets.items():
            await self.play(server, token, known)
        while any((self.store / "removed").iterdir()) and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
        status = await server.stop()
        if status != 0:
            self.note(f"the server ended with {status} on SIGTERM")
        for sentence in inspection.inspect(self.store):
            self.note(sentence)

    async def adopt(self, server):
        """Assets whose adding or removal nobody acknowledged may be there; then they have to get done, too."""
        reply = await server.call("GET", "/assets?limit=1000")
        for asset in reply.json["assets"]:
            token, stream = asset["token"], Stream.named(asset["source_url"])
            if asset["state"] == "removing":
                continue
            if asset["token"] not in self.assets:
                known = self.assets[token] = holding.Known(stream, asset["source_url"].startswith("file"))
                known.is_damaged = token in self.leaving and self.leaving[token].is_damaged
            if stream.shape == "sealed" and not self.assets[token].blob:
                await self.deposit(server, token, self.assets[token])

    async def play(self, server, token, known):
        """All that an asset's playlists name, byte for byte."""
        if not known.is_complete:
            _, asset = await holding.asset_of(server, token)
            return self.note(f"{token} ({known.stream.name}) is stuck: {str(asset)[:600]}")
        files = await playing.files(server.port, token)
        if files is None:
            return self.note(f"{token} ({known.stream.name}) has no playlists")
        if known.stream.shape != "live" and len(files) < known.stream.segments:
            self.note(f"{token} ({known.stream.name}) lists {len(files)} files")
        for path in files:
            await self.compare(server, token, known.stream, path, must=True)

    def few(self, faults):
        """What should have happened, and has not."""
        cuts = LEAST_CUTS if self.disk else {}
        failures = LEAST_FAULTS if self.has_disk_faults else {}
        for table, counts in ((LEAST, self.counts), (cuts, self.counts), (failures, faults)):
            for seconds, names in table.items():
                for name in names if self.arguments.rounds * self.arguments.longest >= seconds else []:
                    if not counts[name]:
                        self.note(f"{name}: not once in {self.arguments.rounds} rounds")


def told(log):
    """What failed, by the lines of a log of it and by how these begin, and how often."""
    counts = Counter()
    for line in log.read_text().splitlines() if log.exists() else []:
        words = line.split()
        counts.update(" ".join(words[:count]) for count in range(1, len(words) + 1))
    return counts


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--longest", type=float, default=2.0, help="seconds that a server lives at most")
    parser.add_argument("--faults", type=float, default=0.1, help="share of the origin's answers that go wrong")
    parser.add_argument("--disk-faults", action="store_true")
    parser.add_argument("--power-cuts", action="store_true")
    parser.add_argument("--seed", type=int, default=1, help="of what is done and what fails; threads have none")
    parser.add_argument("--program")
    return parser.parse_args()


async def main():
    arguments = parse()
    print(f"seed {arguments.seed}")
    arguments.binary = product.program(arguments)
    folder = Path(tempfile.mkdtemp(prefix="offline-server-crash-"))
    source = origin.Origin(arguments.faults, delay=0.05, seed=arguments.seed, expiry=arguments.faults / 50)
    await source.start()
    with open(folder / "server.log", "wb") as log:
        try:
            crash = Crash(folder, source, arguments, log)
        except disk.Impossible as reason:
            shutil.rmtree(folder)
            reason.leave("cuts of the power")
        try:
            await crash.run()
        finally:
            if crash.disk:
                crash.disk.abandon()
    faults = told(folder / "faults.log")
    crash.few(faults)
    print(dict(crash.counts), {name: count for name, count in sorted(faults.items()) if name.count(" ") == 2})
    print("\n".join(["WRONG:", *crash.wrong]) if crash.wrong else "nothing wrong")
    if crash.wrong:
        sys.exit(f"the store and the log are in {folder}")
    shutil.rmtree(folder)


asyncio.run(main())
