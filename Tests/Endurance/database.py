#!/usr/bin/env python3
"""Kills the PostgreSQL server of a shared store with `kill -9`, again and again, while two nodes use it and assets are added.

Each time it stays away for a random time, and is started again. Whatever was acknowledged must hold: an asset that was added is known,
a segment that was stored is stored. Measured is the time from the moment at which the server takes connections again until a node
acknowledges a new asset. A node that was without the database for 7 s ends with status 75 and is started again at once, as a service
manager would do.
"""
import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import origin
import product
from services import TESTS
from trial import Trial, options

# Seconds that the server is away: the nodes hold out for less than 7 s.
SHORT, LONG = (0, 4), (9, 14)


class Outages(Trial):
    """Two nodes, what they have acknowledged, and the server that is killed under them."""

    def __init__(self, *facts):
        super().__init__(*facts)
        self.number, self.assets, self.ended = 0, set(), 0
        self.took = {"short": [], "long": []}

    async def start(self, number):
        store = self.folder / f"node-{number}"
        store.mkdir(exist_ok=True)
        if number and not (store / "store.key").exists():
            shutil.copy(self.folder / "node-0/store.key", store / "store.key")
        node = product.Server(self.arguments.binary, store, self.log, {}, self.services.options)
        node.number = number
        if not await node.start():
            self.note(f"node {number} did not start")
        return node

    async def revive(self):
        """Starts nodes that have ended; 75 says that the database was away for too long."""
        for place, node in enumerate(self.nodes):
            if node.child.returncode is not None:
                self.ended += 1
                if node.child.returncode != 75:
                    self.note(f"node {node.number} ended with {node.child.returncode}")
                self.nodes[place] = await self.start(node.number)

    async def add(self, end):
        """Adds an asset at whichever node is active; whether one has acknowledged it before `end`."""
        self.number += 1
        url = self.source.url(*origin.Stream(self.number, self.random.randint(3, 12), "plain"))
        while time.monotonic() < end:
            for node in self.nodes:
                if node.child.returncode is not None or not (Path(node.store) / "api-token").exists():
                    continue
                fields = [node.credentials, f"Idempotency-Key: n{self.number}"]
                reply = await product.request(node.port, "POST", "/api/v1/assets", fields, {"url": url}, 3)
                if reply is not None and reply.whole and reply.status in (200, 201):
                    self.assets.add(reply.json["token"])
                    return True
            await self.revive()
            await asyncio.sleep(0.05)
        return False

    def kill(self):
        """Ends the server as a crash does."""
        pid = int((self.services.database / "data/postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)

    async def round(self):
        kind = "long" if self.random.random() < 0.2 else "short"
        for _ in range(self.random.randint(1, 3)):
            if not await self.add(time.monotonic() + 30):
                self.note("no node takes an asset")
        known = set(self.services.rows("SELECT token FROM asset"))
        stored = self.services.named()
        self.kill()
        end = time.monotonic() + self.random.uniform(*(LONG if kind == "long" else SHORT))
        while time.monotonic() < end:
            await self.revive()
            await asyncio.sleep(0.1)
        await asyncio.to_thread(
            subprocess.run, [TESTS / "Postgres/server", "start", self.services.database], check=True)
        began = time.monotonic()
        if not await self.add(began + 60):
            return self.note(f"{kind}: no node takes an asset within 60 s")
        self.took[kind].append(time.monotonic() - began)
        now = set(self.services.rows("SELECT token FROM asset"))
        if not (known | self.assets) <= now:
            self.note(f"{len((known | self.assets) - now)} assets are lost")
        if not stored <= self.services.named():
            self.note("rows of stored units are gone")

    async def run(self):
        self.nodes.append(await self.start(0))
        await self.add(time.monotonic() + 30)
        self.nodes.append(await self.start(1))
        for number in range(self.arguments.rounds):
            await self.round()
            if number % 10 == 9:
                print(f"{number + 1} rounds, {len(self.assets)} assets, {self.ended} ends of nodes", file=sys.stderr)
        await self.finish()

    async def finish(self):
        """All that was added comes to its end."""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            await self.revive()
            if self.services.rows("SELECT count(*) FROM asset WHERE state != 'complete'") == ["0"]:
                break
            await asyncio.sleep(0.5)
        else:
            self.note("not all assets are complete")
        lost = self.services.named() - self.services.listed()
        if lost:
            self.note(f"{len(lost)} objects are lost")
        ids = self.services.rows("SELECT id FROM event ORDER BY id")
        if ids and [int(number) for number in ids] != list(range(int(ids[0]), int(ids[0]) + len(ids))):
            self.note("the events have gaps")

    def times(self):
        return {kind: f"{len(took)} × {sorted(took)[len(took) // 2]:.1f} s, at most {max(took):.1f} s"
                for kind, took in self.took.items() if took}

    def summary(self):
        return f"{len(self.assets)} assets, {self.ended} ends of nodes, {self.times()}"


def parse():
    parser = options(__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    return parser.parse_args()


arguments = parse()
asyncio.run(Outages.hold(arguments, origin.Origin(0, delay=0.02, seed=arguments.seed)))
