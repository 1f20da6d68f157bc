#!/usr/bin/env python3
"""Kills the server at random moments while it downloads, pauses, removes and plays, and looks what is left.

After each kill the next server must start, and what it acknowledged before must hold: a complete asset is complete and
right, a removed one is gone, an added one is known. At the end every asset is downloaded and compared byte for byte,
the database is intact and no file is left that no row knows. `--disk-faults` has writes, flushes and renames fail by
chance too. `--power-cuts` leaves only what was flushed to the disk before the kill; it mounts a file system of its own for
that, which takes root's rights.
"""
import argparse
import asyncio
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import disk
import origin
import product

HERE = Path(__file__).resolve().parent


class Crash:
    """What was acknowledged, and what breaks it."""

    def __init__(self, folder, source, arguments, log):
        self.folder, self.source, self.arguments = folder, source, arguments
        self.disk = disk.Disk(folder) if arguments.power_cuts else None
        self.store = (self.disk.path if self.disk else folder) / "store"
        self.random = random.Random(arguments.seed)
        self.environment = self.fault_environment() if arguments.disk_faults else {}
        self.log, self.next = log, 0
        self.assets, self.complete, self.removed, self.counts, self.wrong = {}, set(), set(), Counter(), []

    def fault_environment(self):
        library = self.folder / "faults.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, HERE / "faults.c", "-ldl"], check=True)
        return {"LD_PRELOAD": str(library), "FAULT_ROOT": str(self.store), "FAULT_ONE_IN": "100"}

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
            if not self.arguments.disk_faults:
                self.note("the server did not start again")
            return
        await self.check(server)
        jobs = [asyncio.ensure_future(job) for job in (
            self.adder(server), self.remover(server), self.player(server), self.player(server), self.pauser(server))]
        await asyncio.sleep(self.random.random() ** 2 * self.arguments.longest)
        if server.child.returncode is not None:
            self.note(f"the server ended by itself with {server.child.returncode}")
        if self.disk:
            server.child.send_signal(signal.SIGSTOP)
            self.disk.cut()
        server.kill()
        await server.child.wait()
        while jobs:  # A cancellation that meets the end of a wait is lost; then it is said again.
            for job in jobs:
                job.cancel()
            _, jobs = await asyncio.wait(jobs, timeout=1)
        if self.disk:
            self.disk.restore()
        self.counts["kills"] += 1

    async def check(self, server):
        """What was acknowledged before the kill holds."""
        for token in self.random.sample(sorted(self.removed), min(3, len(self.removed))):
            reply = await server.call("GET", f"/assets/{token}")
            if reply is None or reply.status != 404:
                self.note(f"{token} was removed, and is back: {reply and reply.status}")
        for token in list(self.assets):
            reply = await server.call("GET", f"/assets/{token}")
            if reply is None or reply.status != 200:
                self.note(f"{token} was added, and is gone: {reply and reply.status}")
                self.assets.pop(token)
                continue
            if token in self.complete and reply.json["state"] != "complete":
                self.note(f"{token} was complete, and is {reply.json['state']}")
            if reply.json["state"] == "complete" and not reply.json["playable"]["offline"]:
                self.note(f"{token} is complete and not playable: {reply.json['playable']}")
            if "not-resolved" not in reply.json["playable"]["blocked_by"]:
                await self.check_key(server, token)

    async def check_key(self, server, token):
        """What was looked into has its key, before a byte of its media comes."""
        number = self.assets[token][0]
        if not origin.has_key(number):
            return
        reply = await product.request(server.port, "GET", f"/assets/{token}/keys/k0.key")
        if reply is None or reply.body != origin.key(number):
            self.note(f"{token} has not got its key: {reply and reply.status}")
        self.counts["keys"] += 1

    async def adder(self, server):
        while True:
            if len(self.assets) < 6:
                self.next += 1
                number, segments = self.next, self.random.choice([2, 30, 120])
                reply = await server.call("POST", "/assets", {"url": self.source.url(number, segments)})
                if reply and reply.status == 201 and reply.whole:
                    self.assets[reply.json["token"]] = (number, segments)
                    self.counts["added"] += 1
            await self.look(server)
            await asyncio.sleep(0.05)

    async def look(self, server):
        for token in list(self.assets):
            reply = await server.call("GET", f"/assets/{token}")
            if not reply or not reply.whole or reply.status != 200:
                continue
            if reply.json["state"] == "complete" and token not in self.complete:
                self.complete.add(token)
                self.counts["complete"] += 1
            elif reply.json["state"] in ("failed", "paused"):
                await server.call("POST", f"/assets/{token}/resume", {})

    async def remover(self, server):
        while True:
            await asyncio.sleep(self.random.random() * 0.6)
            known = [token for token in self.assets if token in self.complete or self.random.random() < 0.2]
            if len(known) < 2:
                continue
            token = self.random.choice(known)
            self.assets.pop(token)
            reply = await server.call("DELETE", f"/assets/{token}")
            if reply and reply.status == 204:
                self.removed.add(token)
                self.complete.discard(token)
                self.counts["removed"] += 1
            else:  # Perhaps it was; only what is acknowledged counts.
                self.complete.discard(token)
                self.counts["removal not acknowledged"] += 1

    async def pauser(self, server):
        while True:
            await asyncio.sleep(self.random.random() * 0.5)
            if self.assets:
                token = self.random.choice(list(self.assets))
                await server.call("POST", f"/assets/{token}/{self.random.choice(['pause', 'resume'])}", {})

    async def player(self, server):
        while True:
            await asyncio.sleep(self.random.random() * 0.1)
            if not self.assets:
                continue
            token = self.random.choice(list(self.assets))
            number, segments = self.assets[token]
            await self.fetch(server, token, number, self.random.randrange(segments))

    async def fetch(self, server, token, number, index, must=False):
        reply = await product.request(server.port, "GET", f"/assets/{token}/video/{index}.ts")
        good = reply is not None and reply.whole and reply.status == 200
        if good and reply.body != origin.segment(number, index):
            self.note(f"{token}/{index}: {len(reply.body)} wrong bytes")
        if must and not good:
            self.note(f"{token}/{index} can't be had: {reply and reply.status}")
        self.counts["segments played" if good else "segments not had"] += 1

    async def finish(self):
        """Without faults everything gets done, and nothing is left over."""
        (self.folder / "faults-off").touch()
        self.source.faults = 0
        server = self.server()
        if not await server.start():
            return self.note("the last server did not start")
        await self.check(server)
        await self.adopt(server)
        deadline = time.monotonic() + 180
        while set(self.assets) - self.complete and time.monotonic() < deadline:
            await self.look(server)
            await asyncio.sleep(0.2)
        for token in set(self.assets) - self.complete:
            reply = await server.call("GET", f"/assets/{token}")
            self.note(f"{token} is stuck: {reply and reply.body[:300]}")
        for token in set(self.assets) & self.complete:
            number, segments = self.assets[token]
            for index in range(segments):
                await self.fetch(server, token, number, index, must=True)
        status = await server.stop()
        if status != 0:
            self.note(f"the server ended with {status} on SIGTERM")
        self.inspect()

    async def adopt(self, server):
        """Assets whose adding or removal nobody acknowledged may be there; then they have to get done, too."""
        reply = await server.call("GET", "/assets?limit=1000")
        for asset in reply.json["assets"]:
            if asset["state"] != "removing":
                number, segments = re.search(r"/(\d+)-(\d+)/media", asset["source_url"]).groups()
                self.assets.setdefault(asset["token"], (int(number), int(segments)))

    def inspect(self):
        """The database is whole, and the folders hold what it says."""
        with closing(sqlite3.connect(self.store / "catalog.db")) as database:
            verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
            if verdict != "ok":
                self.note(f"integrity_check: {verdict}")
        parts = [path for path in (self.store / "assets").rglob("*") if path.name.endswith((".part", ".tmp"))]
        if parts:
            self.note(f"{len(parts)} partial files are left, such as {parts[0]}")
        folders = {path.name for path in (self.store / "assets").iterdir()}
        for token in self.removed & folders:
            self.note(f"{token} was removed, and its folder is still there")


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--longest", type=float, default=2.0, help="seconds that a server lives at most")
    parser.add_argument("--faults", type=float, default=0.1, help="share of the origin's answers that go wrong")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--disk-faults", action="store_true")
    kind.add_argument("--power-cuts", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program")
    arguments = parser.parse_args()
    arguments.binary = product.program(arguments)
    folder = Path(tempfile.mkdtemp(prefix="offline-server-crash-"))
    source = origin.Origin(arguments.faults, delay=0.05, seed=arguments.seed)
    await source.start()
    with open(folder / "server.log", "wb") as log:
        try:
            crash = Crash(folder, source, arguments, log)
        except disk.Impossible as reason:
            shutil.rmtree(folder)
            reason.leave("no cuts of the power were tried")
        try:
            await crash.run()
        finally:
            if crash.disk:
                crash.disk.abandon()
    faults = Counter((folder / "faults.log").read_text().split()) if arguments.disk_faults else {}
    print(dict(crash.counts), dict(faults))
    print("\n".join(["WRONG:", *crash.wrong]) if crash.wrong else "nothing wrong")
    if crash.wrong:
        sys.exit(f"the store and the log are in {folder}")
    shutil.rmtree(folder)


asyncio.run(main())
