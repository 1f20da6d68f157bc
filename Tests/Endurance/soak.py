#!/usr/bin/env python3
"""Mixed load for a long time: downloads from a misbehaving origin, players, control commands, removal.

Passes when no byte was wrong, nothing answered 5xx but the intended 503, no asset got stuck, and memory, descriptors
and threads at the end are what they were once everything had warmed up.
"""
import argparse
import asyncio
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import origin
import product


class Soak:
    def __init__(self, server, source, arguments):
        self.server, self.source, self.arguments = server, source, arguments
        self.random = random.Random(arguments.seed)
        self.assets, self.counts, self.wrong, self.samples = {}, Counter(), [], []
        self.next, self.ends = 0, time.monotonic() + arguments.seconds

    @property
    def goes_on(self):
        return time.monotonic() < self.ends

    def note(self, sentence):
        self.wrong.append(sentence)
        print("WRONG:", sentence, file=sys.stderr)

    def is_intended(self, what, reply):
        """No 5xx is, but a 503 that says when to come back."""
        if reply is None or reply.status < 500 or reply.status == 503 and "retry-after" in reply.fields:
            return True
        self.note(f"{what}: {reply.status} {reply.fields} {reply.body[:200]}")
        return False

    async def downloader(self):
        """Adds an asset, waits until it is complete, checks it, removes it."""
        while self.goes_on:
            self.next += 1
            number, segments = self.next, self.random.choice([3, 20, 60])
            reply = await self.server.call("POST", "/assets", {"url": self.source.url(number, segments)})
            if reply is None or reply.status != 201:
                self.note(f"POST /assets: {reply and (reply.status, reply.body)}")
                await asyncio.sleep(1)
                continue
            token = reply.json["token"]
            self.assets[token] = (number, segments)
            self.counts["downloads"] += 1
            if await self.settled(token) == "complete":
                self.counts["complete"] += 1
                await self.check(token)
            await asyncio.sleep(self.random.random())
            self.assets.pop(token)
            reply = await self.server.call("DELETE", f"/assets/{token}")
            if reply is None or reply.status != 204:
                self.note(f"DELETE: {reply and (reply.status, reply.body)}")

    async def settled(self, token, patience=300):
        """The state that an asset ends in."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            reply = await self.server.call("GET", f"/assets/{token}")
            state = reply and reply.status == 200 and reply.json["state"]
            if state in ("paused", "failed", "cancelled"):
                await self.server.call("POST", f"/assets/{token}/resume", {})
            elif state == "complete":
                return state
            await asyncio.sleep(0.3)
        self.note(f"{token} is stuck: {reply and reply.body[:400]}")
        return None

    async def check(self, token):
        number, segments = self.assets[token]
        for index in self.random.sample(range(segments), min(segments, 5)):
            await self.fetch(token, number, index, must=True)

    async def player(self):
        """Plays some asset from some place for a while, some parts of segments among it."""
        while self.goes_on:
            if not self.assets:
                await asyncio.sleep(0.2)
                continue
            token = self.random.choice(list(self.assets))
            number, segments = self.assets[token]
            start = self.random.randrange(segments)
            for index in range(start, min(segments, start + 10)):
                if not self.goes_on or token not in self.assets:
                    break
                await self.fetch(token, number, index)
                await asyncio.sleep(self.random.random() * self.arguments.pace)

    async def fetch(self, token, number, index, must=False):
        """GETs a segment, or a part of it, and compares."""
        whole, first, fields = origin.segment(number, index), 0, []
        if self.random.random() < 0.3:
            first = self.random.randrange(len(whole))
            fields = [f"Range: bytes={first}-"]
        rendition = await self.rendition(token)
        if not rendition:
            return
        reply = await product.request(
            self.server.port, "GET", f"/assets/{token}/{rendition}/{index}.ts", fields)
        self.counts[f"GET {reply.status if reply and reply.whole else 'broken'}"] += 1
        if reply is None or not reply.whole:
            if must:
                self.note(f"a segment of a complete asset broke off: {token}/{index}")
        elif reply.status in (200, 206):
            wanted = whole[first:] if reply.status == 206 else whole
            if reply.body != wanted:
                self.note(f"{token}/{rendition}/{index}: {len(reply.body)} bytes are not the {len(wanted)} wanted")
        elif self.is_intended(f"{token}/{index}", reply) and (must or reply.status not in (404, 503)):
            self.note(f"{token}/{rendition}/{index}: {reply.status} {reply.body[:200]}")

    async def rendition(self, token):
        reply = await product.request(self.server.port, "GET", f"/assets/{token}/master.m3u8")
        if reply is None or reply.status != 200:
            if self.is_intended(f"{token}/master.m3u8", reply) and reply and reply.status not in (404, 503):
                self.note(f"{token}/master.m3u8: {reply.status}")
            return None
        for line in reply.body.decode().splitlines():
            if line and not line.startswith("#"):
                return line.split("/")[0]

    async def controller(self):
        """Pauses, resumes and looks at this and that."""
        while self.goes_on:
            await asyncio.sleep(self.random.random() * 2)
            if not self.assets:
                continue
            token = self.random.choice(list(self.assets))
            path, body = self.random.choice([
                (f"/assets/{token}/pause", {}), (f"/assets/{token}/resume", {}), (f"/assets/{token}", None),
                ("/assets", None), ("/storage", None)])
            reply = await self.server.call("GET" if body is None else "POST", path, body)
            if reply is None:
                self.note(f"{path}: no answer")
            self.is_intended(path, reply)

    async def sampler(self):
        while self.goes_on:
            self.samples.append(self.server.usage())
            print("RSS %d kB, %d descriptors, %d threads" % self.samples[-1], dict(self.counts), file=sys.stderr)
            await asyncio.sleep(max(1, self.arguments.seconds / 60))

    async def run(self):
        jobs = [self.downloader() for _ in range(self.arguments.downloads)]
        jobs += [self.player() for _ in range(self.arguments.players)]
        jobs += [self.controller(), self.controller(), self.sampler()]
        await asyncio.gather(*jobs)

    def verdict(self):
        """What is wrong with the memory, besides what went wrong."""
        third = max(1, len(self.samples) // 3)
        for index, name, allowance in ((0, "resident kB", 1.2), (1, "descriptors", 1.3), (2, "threads", 1.3)):
            middle = statistics.median(s[index] for s in self.samples[third:2 * third] or self.samples)
            end = statistics.median(s[index] for s in self.samples[-third:])
            print(f"{name}: {middle:.0f} in the middle third, {end:.0f} in the last")
            if end > middle * allowance + (8192 if index == 0 else 16):
                self.wrong.append(f"{name} grew from {middle:.0f} to {end:.0f}")
        return self.wrong


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--downloads", type=int, default=6)
    parser.add_argument("--pace", type=float, default=2.0, help="longest pause of a player between segments, seconds")
    parser.add_argument("--faults", type=float, default=0.1, help="share of the origin's answers that go wrong")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="offline-server-soak-"))
    source = origin.Origin(arguments.faults, delay=0.02, seed=arguments.seed)
    await source.start()
    with open(folder / "server.log", "wb") as log:
        server = product.Server(product.program(arguments), folder / "store", log, options=["--max-downloads", "6"])
        if not await server.start():
            sys.exit(f"the server did not start; see {folder}/server.log")
        soak = Soak(server, source, arguments)
        await soak.run()
        status = await server.stop()
    wrong = soak.verdict() + ([] if status == 0 else [f"the server ended with {status} on SIGTERM"])
    print(dict(soak.counts))
    print("\n".join(["WRONG:", *wrong]) if wrong else "nothing wrong")
    if wrong:
        sys.exit(f"the store and the log are in {folder}")
    shutil.rmtree(folder)


asyncio.run(main())
