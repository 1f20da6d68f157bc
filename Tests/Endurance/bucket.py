#!/usr/bin/env python3
"""Two nodes of a shared store whose bucket fails, again and again, while assets are added and played.

A relay in front of the S3 server (moto, or with --s3 swift OpenStack Swift) answers with 503 and 500, breaks connections within requests and answers, loses the answers
of requests that were carried out, and changes bytes, until it has done so --faults times. Meanwhile each answer of a node must be
whole and right, or say by its status or a broken connection that it is not; and nothing that was stored counts as damaged. When the
faults have ended, every asset is complete, each stored unit has its object, and each object its unit.
"""
import asyncio
import json
import shutil
import subprocess
import sys
import time
from collections import Counter

import holding
import origin
import playing
import product
from services import TESTS
from trial import Trial, options

# Seconds after which an object without a unit is deleted.
GRACE = 20


class Relay:
    """The relay in front of the S3 server."""

    def __init__(self, folder, services, share, seed):
        self.child = subprocess.Popen(
            [TESTS / "S3/relay", folder, services.s3["endpoint"], "--share", str(share), "--seed", str(seed)])
        facts = folder / "relay.json"
        while not facts.exists():
            time.sleep(0.05)
        self.endpoint = json.loads(facts.read_text())["endpoint"]
        self.port = int(self.endpoint.rsplit(":", 1)[1])
        self.direct, services.s3["endpoint"] = services.s3["endpoint"], self.endpoint

    async def counts(self, query=""):
        reply = await product.request(self.port, "GET", f"/_relay{query}")
        return reply.json


class Bucket(Trial):
    """The nodes, what they have acknowledged, and the bucket that fails."""

    def __init__(self, *facts):
        super().__init__(*facts)
        self.counts, self.assets, self.number = Counter(), {}, 0
        self.relay = Relay(self.folder, self.services, self.arguments.share, self.arguments.seed)

    async def start(self, number):
        store = self.folder / f"node-{number}"
        store.mkdir(exist_ok=True)
        if number:
            shutil.copy(self.folder / "node-0/store.key", store / "store.key")
        # The smallest cache: most answers need the bucket once there are more assets than it holds.
        node = product.Server(
            self.arguments.binary, store, self.log, {"OFFLINE_SERVER_BUCKET_GRACE": str(GRACE)},
            [*self.services.options, "--cache-size", "64M", "--max-downloads", "4"])
        if not await node.start():
            raise SystemExit(f"node {number} did not start; see {self.folder}")
        self.nodes.append(node)

    async def add(self):
        self.number += 1
        stream = origin.Stream(self.number, self.random.randint(3, 40), self.random.choice(["plain", "plain", "rich"]))
        reply = await self.nodes[0].call("POST", "/assets", {"url": self.source.url(*stream)})
        if reply is None or reply.status != 201:
            return self.note(f"an asset was not taken: {reply and reply.status}")
        self.assets[reply.json["token"]] = holding.Known(stream)

    async def play(self):
        """Plays some files of an asset at a node."""
        token = self.random.choice(list(self.assets))
        node, known = self.random.choice(self.nodes), self.assets[token]
        async with known.lock:
            status, asset = await holding.asset_of(self.nodes[0], token, tries=1)
            if status == 200:
                for fault in known.broken(asset):
                    self.note(f"{token}: {fault}")
                known.see(asset)
        for path in self.random.sample(found := await playing.files(node.port, token) or [], min(3, len(found))):
            await self.compare(node, token, known.stream, path, patience=20)

    async def compare(self, node, token, stream, path, patience=60):
        """Whether an answer with status 200 that ends as it should has the bytes of the origin; notes any that has not."""
        wanted = stream.expected_at(path)
        if wanted is None:
            return True
        reply = await product.request(node.port, "GET", f"/assets/{token}/{path}", patience=patience)
        kind = "no answer" if reply is None else "broken" if not reply.whole else str(reply.status)
        self.counts[kind] += 1
        if kind == "200" and reply.body != wanted:
            self.note(f"{token}/{path} has other bytes")
        return kind == "200"

    async def run(self):
        await self.start(0)
        end = time.monotonic() + 60
        while not await product.is_active_node(self.nodes[0]):
            if time.monotonic() > end:
                raise SystemExit(f"node 0 does not become active; see {self.folder}")
            await asyncio.sleep(0.1)
        await self.start(1)
        shown = 0
        while (done := sum((await self.relay.counts()).values())) < self.arguments.faults:
            if done >= shown + 200:
                shown = done
                print(f"{done} faults, {len(self.assets)} assets, answers: {dict(self.counts)}", file=sys.stderr)
            running = sum(not known.is_complete for known in self.assets.values())
            if running < 6 and (not self.assets or self.random.random() < 0.3):
                await self.add()
            await asyncio.gather(*(self.play() for _ in range(4)))
        self.faults = await self.relay.counts("?share=0")
        await self.finish()

    async def finish(self):
        """Everything comes to its end, and nothing is left over."""
        end, whole = time.monotonic() + 300, set()
        while time.monotonic() < end and len(whole) < len(self.assets):
            for token in self.assets.keys() - whole:
                if await self.mend(token):
                    whole.add(token)
            await asyncio.sleep(0.5)
        for token, known in self.assets.items():
            if token not in whole:
                self.note(f"{token} ({known.stream.name}) is not complete")
            for path in await playing.files(self.nodes[0].port, token) or []:
                if not await self.compare(self.nodes[0], token, known.stream, path):
                    self.note(f"{token}/{path} is not served")
        await self.collect()
        for node in self.nodes[::-1]:
            if await node.stop() != 0:
                self.note("a node did not end well")

    async def mend(self, token):
        """Whether an asset is complete; resumes one that has failed."""
        status, asset = await holding.asset_of(self.nodes[0], token)
        is_whole = status == 200 and self.assets[token].see(asset)
        if status == 200 and asset["state"] == "failed":
            await self.nodes[0].call("POST", f"/assets/{token}/resume", {})
        return is_whole

    async def collect(self):
        end, orphans = time.monotonic() + 6 * GRACE, {0}
        while orphans and time.monotonic() < end:
            await asyncio.sleep(1)
            orphans = self.services.listed() - self.services.named()
        lost = self.services.named() - self.services.listed()
        if orphans or lost:
            self.note(f"{len(orphans)} objects are nobody's, {len(lost)} are lost")

    def close(self):
        self.relay.child.kill()
        super().close()

    def summary(self):
        return f"{len(self.assets)} assets, faults: {self.faults}, answers: {dict(self.counts)}"


def parse():
    parser = options(__doc__)
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument("--share", type=float, default=0.15, help="share of the requests to the bucket that go wrong")
    return parser.parse_args()


arguments = parse()
asyncio.run(Bucket.hold(arguments, origin.Origin(0, delay=0.01, seed=arguments.seed)))
