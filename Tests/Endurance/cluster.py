#!/usr/bin/env python3
"""Kills, stops and ends the active one of several nodes that share a store, again and again, while it downloads.

The catalog is in a PostgreSQL server and the media in an S3 server (moto, or with --s3 swift OpenStack Swift), both started here. Each time another node must take
over within a bounded time, and what was acknowledged must hold there: an asset that was added is known, a segment that was stored
plays, byte for byte, and a complete asset is complete. A node that was stopped for longer than its lease must end by itself and
change nothing. For each asset that was running when a node was lost, the origin may send 16 segments once more at most. At the end every asset is complete and right, and the bucket has one object for each stored unit (a debug build
collects objects of no unit as soon as OFFLINE_SERVER_BUCKET_GRACE says).
"""
import asyncio
import shutil
import signal
import sys
import time
from collections import Counter

import holding
import origin
import playing
import product
from trial import Trial, options

# Seconds until another node is active: a lease of 10 s, a look each half second, and a busy machine.
BOUND = {"kill": 25, "stop": 25, "end": 15}
GRACE = 20
# Segments that an asset may fetch again after its node was lost.
AGAIN = 16


class Cluster(Trial):
    """The nodes, what they have acknowledged, and what ends them."""

    def __init__(self, *facts):
        super().__init__(*facts)
        self.counts, self.assets, self.next, self.took = Counter(), {}, 0, {name: [] for name in BOUND}
        self.played = {}

    async def start(self, number):
        """Starts a node with the folder of this number."""
        store = self.folder / f"node-{number}"
        store.mkdir(exist_ok=True)
        key = self.folder / "node-0/store.key"
        if number and not (store / "store.key").exists():
            shutil.copy(key, store / "store.key")
        node = product.Server(
            self.arguments.binary, store, self.log, {"OFFLINE_SERVER_BUCKET_GRACE": str(GRACE)},
            [*self.services.options, "--max-downloads", "6", "--cache-size", "64M"])
        node.number = number
        if not await node.start():
            self.note(f"node {number} did not start")
        return node

    async def is_active(self, node):
        return await product.is_active_node(node)

    async def active(self, bound):
        """The node that serves, and after how many seconds."""
        began = time.monotonic()
        while time.monotonic() - began < bound + 60:
            for node in self.nodes:
                if await self.is_active(node):
                    return node, time.monotonic() - began
            await asyncio.sleep(0.1)
        raise SystemExit(f"no node is active; see {self.folder}")

    async def run(self):
        self.nodes.append(await self.start(0))
        await self.active(30)
        for number in range(1, self.arguments.nodes):
            self.nodes.append(await self.start(number))
        for number in range(self.arguments.rounds):
            await self.round()
            if number % 10 == 9:
                print(f"{number + 1} rounds: {dict(self.counts)}", file=sys.stderr)
        await self.finish()

    async def round(self):
        node, _ = await self.active(30)
        end = time.monotonic() + self.random.random() * self.arguments.longest
        for _ in range(self.random.randint(1, 2)):
            await self.add(await self.ready_one(node))
        while time.monotonic() < end:
            await self.look(await self.ready_one(node))
            await asyncio.sleep(0.05)
        if self.random.random() < 0.1:
            await self.kill_standby(node)
        way = self.random.choices(["kill", "stop", "end"], [6, 1, 2])[0]
        await self.lose(node, way)
        self.counts[way] += 1

    async def ready_one(self, active):
        """Any node that says that it may serve: the active one, or one that passes requests on."""
        node = self.random.choice(self.nodes)
        if node is active:
            return node
        reply = await product.request(node.port, "GET", "/readyz", patience=2)
        if reply is None or reply.status != 200:
            return active
        self.counts["requests to nodes on standby"] += 1
        return node

    async def lose(self, node, way):
        """Takes the active node away, in one of three ways, and has it stand by again."""
        self.nodes.remove(node)
        self.counts["runs lost"] += int(self.services.rows("SELECT count(*) FROM asset WHERE state = 'downloading'")[0])
        began = time.monotonic()
        node.child.send_signal({"kill": signal.SIGKILL, "stop": signal.SIGSTOP, "end": signal.SIGTERM}[way])
        stored = self.services.named()
        other, _ = await self.active(BOUND[way])
        took = time.monotonic() - began
        self.took[way].append(took)
        if took > BOUND[way]:
            self.note(f"{way}: another node was active after {took:.1f} s")
        if not stored <= self.services.named():
            self.note(f"{way}: rows of stored units are gone")
        await self.check(other)
        if way == "stop":
            await self.wake(node)
        status = await asyncio.wait_for(node.child.wait(), 40)
        if status != {"kill": -9, "stop": 75, "end": 0}[way]:
            self.note(f"{way}: node {node.number} ended with {status}")
        self.nodes.append(await self.start(node.number))

    async def wake(self, node):
        """Has a node go on that has lost the store; whatever it does changes nothing."""
        epoch = self.services.rows("SELECT node, epoch FROM store_owner")
        node.child.send_signal(signal.SIGCONT)
        reply = await product.request(node.port, "GET", "/api/v1/assets", [node.credentials], patience=5)
        if reply is not None and reply.status != 503:
            self.note(f"a node that has lost the store answered {reply.status}")
        await asyncio.wait_for(node.child.wait(), 40)
        if self.services.rows("SELECT node, epoch FROM store_owner") != epoch:
            self.note("a node that has lost the store took it back")

    async def kill_standby(self, active):
        node = self.random.choice([node for node in self.nodes if node is not active])
        self.nodes.remove(node)
        node.kill()
        await node.child.wait()
        self.nodes.append(await self.start(node.number))
        self.counts["standby"] += 1

    async def add(self, node):
        self.next += 1
        shape = self.random.choice(["plain", "plain", "rich"])
        stream = origin.Stream(self.next, self.random.randint(3, 40), shape)
        reply = await node.call("POST", "/assets", {"url": self.source.url(*stream), "meta": {"n": str(self.next)}})
        if reply and reply.whole and reply.status == 201:
            self.assets[reply.json["token"]] = holding.Known(stream)
            self.counts["added"] += 1

    async def look(self, node):
        """Takes in what the active node says of an asset, and plays some of it."""
        if not self.assets:
            return
        token = self.random.choice(list(self.assets)[-8:])
        status, asset = await holding.asset_of(node, token, tries=1)
        if status == 200:
            self.assets[token].see(asset)

    async def check(self, node):
        """What was acknowledged before holds."""
        for token, known in list(self.assets.items()):
            status, asset = await holding.asset_of(node, token)
            if status != 200:
                self.note(f"{token} was added, and is {status}")
                continue
            for fault in known.broken(asset):
                self.note(f"{token}: {fault}")
        for token in self.random.sample(sorted(self.assets), min(3, len(self.assets))):
            await self.play(await self.ready_one(node), token)

    async def play(self, node, token):
        """Some files of what is complete, byte for byte."""
        known = self.assets[token]
        if not known.is_complete:
            return
        files = await playing.files(node.port, token)
        if files is None:
            return self.note(f"{token} ({known.stream.name}) has no playlists")
        for path in self.random.sample(files, min(4, len(files))):
            await self.compare(node, token, known.stream, path)

    async def compare(self, node, token, stream, path):
        wanted = stream.expected_at(path)
        if wanted is None:
            return
        reply = await product.request(node.port, "GET", f"/assets/{token}/{path}")
        if reply is None or reply.status != 200 or not reply.whole:
            return self.note(f"{token}/{path} is {reply and reply.status}")
        if reply.body != wanted:
            self.note(f"{token}/{path} has other bytes")
        self.counts["segments played"] += 1

    async def finish(self):
        """Everything comes to its end, and nothing is left over."""
        self.source.behave()
        node, _ = await self.active(30)
        end = time.monotonic() + 300
        while time.monotonic() < end:
            for token, known in self.assets.items():
                if not known.is_complete:
                    await self.resume(node, token, known)
            if all(known.is_complete for known in self.assets.values()):
                break
            await asyncio.sleep(0.5)
        for token, known in self.assets.items():
            if not known.is_complete:
                self.note(f"{token} ({known.stream.name}) is not complete")
                continue
            files = await playing.files(node.port, token) or []
            if len(files) < known.stream.segments:
                self.note(f"{token} ({known.stream.name}) lists {len(files)} files")
            for path in files:
                await self.compare(node, token, known.stream, path)
        await self.collect()
        again = sum(count - 1 for count in self.source.sent.values())
        print(f"{again} segments were sent again, for {self.counts['runs lost']} runs that were lost")
        if again > AGAIN * self.counts["runs lost"]:
            self.note(f"{again} segments were sent again")
        for node in self.nodes:
            if await node.stop() != 0:
                self.note(f"node {node.number} did not end well")

    async def resume(self, node, token, known):
        status, asset = await holding.asset_of(node, token)
        if status == 200 and not known.see(asset) and asset["state"] == "failed":
            await node.call("POST", f"/assets/{token}/resume", {})

    async def collect(self):
        """Waits until the bucket has no object without a unit, and lacks none."""
        first = len(self.services.listed() - self.services.named())
        end, orphans = time.monotonic() + 6 * GRACE, {0}
        while orphans and time.monotonic() < end:
            await asyncio.sleep(1)
            orphans = self.services.listed() - self.services.named()
        lost = self.services.named() - self.services.listed()
        print(f"{len(self.services.named())} objects of units, {first} others before the last collection, "
              f"{len(orphans)} after it, {len(lost)} lost")
        if orphans or lost:
            self.note(f"{len(orphans)} objects are nobody's, {len(lost)} are lost")

    def times(self):
        return {way: f"{len(took)} × {sorted(took)[len(took) // 2]:.1f} s, at most {max(took):.1f} s"
                for way, took in self.took.items() if took}

    def summary(self):
        return f"{dict(self.counts)} {self.times()}"


def parse():
    parser = options(__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--longest", type=float, default=3.0, help="seconds that a node is active at most")
    parser.add_argument("--faults", type=float, default=0.02, help="share of the origin's answers that go wrong")
    return parser.parse_args()


arguments = parse()
asyncio.run(Cluster.hold(arguments, origin.Origin(arguments.faults, delay=0.05, seed=arguments.seed)))
