#!/usr/bin/env python3
"""Mixed load for a long time: downloads and recordings from a misbehaving origin, players of all sorts, commands.

Passes when no byte was wrong, nothing answered 5xx but the intended 503 and no command 4xx, no asset got stuck, nothing
is left of what was removed, the log has no error, memory, descriptors and threads do not grow over the last two thirds,
and enough of everything happened.
"""
import argparse
import asyncio
import contextlib
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import chores
import clients
import flatness
import origin
import playing
import product
from streams import Stream

# What happens at least once in so many seconds, beside what is looked at after each download: on two busy cores it does
# ten times and more. Fewer players and downloads than usual, and players that rest longer, do less in proportion.
LEAST = {
    1: ["whole", "ranges"],
    5: ["events"],
    20: ["complete", "removed", "slowly"],
    60: ["verify", "repair", "relink", "subtitle file"],
    100: ["conditions", "decrypt", "pause", "resume", "look"],
    300: ["recorded", "track", "export", "import"],
}
USUAL_PLAYERS, USUAL_DOWNLOADS, USUAL_PACE = 200, 6, 2.0
FIRST_SECONDS = 30


class Soak:
    def __init__(self, server, source, arguments):
        self.server, self.source, self.arguments = server, source, arguments
        self.random = random.Random(arguments.seed)
        # Of complete assets, when that was found out, and the renditions that were given up: one that was repaired
        # meanwhile is not the one of before.
        self.assets, self.complete, self.counts, self.wrong, self.samples = {}, {}, Counter(), [], []
        self.given_up, self.next, self.started = set(), 0, time.monotonic()
        self.ends = self.started + arguments.seconds

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

    # MARK: Assets

    async def enter(self, shape, **terms):
        """Enters a new stream; its token and itself, `None` when that is refused."""
        self.next += 1
        stream = Stream(self.next, self.random.choice([3, 20, 60] if shape != "live" else [5, 15]), shape)
        reply = await self.server.call("POST", "/assets", {"url": self.source.url(*stream), **terms})
        if reply is None or reply.status != 201:
            return self.note(f"POST /assets: {reply and (reply.status, reply.body)}")
        return reply.json["token"], stream

    @contextlib.contextmanager
    def added(self, entered):
        """Has players know an asset for a while."""
        if entered:
            self.assets[entered[0]] = entered[1]
        try:
            yield entered and entered[0]
        finally:
            if entered:
                self.assets.pop(entered[0], None)
                self.complete.pop(entered[0], None)

    @contextlib.contextmanager
    def unsettled(self, token):
        """While something is missing of an asset, it may not be had."""
        self.complete.pop(token, None)
        yield

    async def remove(self, token):
        """From here on, nobody plays it."""
        self.assets.pop(token, None)
        self.complete.pop(token, None)
        reply = await self.server.call("DELETE", f"/assets/{token}")
        if reply is None or reply.status != 204:
            return self.note(f"DELETE: {reply and (reply.status, reply.body)}")
        self.counts["removed"] += 1

    async def downloader(self):
        """Adds an asset, waits until it is complete, checks it, works on it, removes it."""
        work = chores.Chores(self)
        while self.goes_on:
            with self.added(await self.enter(self.random.choice(["plain", "plain", "rich"]))) as token:
                if not token:
                    await asyncio.sleep(1)
                    continue
                self.counts["downloads"] += 1
                stream = self.assets[token]
                if await self.settled(token) == "complete":
                    self.counts["complete"] += 1
                    await self.check(token)
                    await work.some(token, stream)
                    await self.check(token)
                await asyncio.sleep(self.random.random())
                await self.remove(token)

    async def settled(self, token, patience=300):
        """The state that an asset ends in."""
        self.complete.pop(token, None)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            reply = await self.server.call("GET", f"/assets/{token}")
            asset = reply.json if reply and reply.status == 200 else {"state": None}
            if asset["state"] in ("paused", "failed", "cancelled"):
                await self.server.call("POST", f"/assets/{token}/resume", {})
            elif asset["state"] == "complete" and asset["playable"]["offline"]:
                lost = frozenset(track["id"] for track in asset["renditions"] if track["error"])
                self.given_up |= {(token, track) for track in lost}
                self.counts["given up"] = len(self.given_up)
                self.complete[token] = time.monotonic(), lost
                return "complete"
            await asyncio.sleep(0.3)
        self.note(f"{token} is stuck: {reply and reply.body[:400]}")
        return None

    async def check(self, token):
        """Some files of what is complete are there, and right; each that the playlists name can be one."""
        files = await playing.files(self.server.port, token)
        if not files:
            return self.note(f"{token} is complete and has no playlists")
        for name in self.random.sample(files, min(len(files), 5)):
            await self.fetch(token, self.assets[token], name, must=True)

    # MARK: Players

    async def player(self):
        """Plays some asset from some place for a while, over one connection, some parts of segments among it."""
        connection = clients.Connection(self.server.port)
        while self.goes_on:
            if not self.assets:
                await asyncio.sleep(0.2)
                continue
            token, stream = self.random.choice(list(self.assets.items()))
            files = await self.playlist(connection, token)
            start = self.random.randrange(len(files) or 1)
            for name in files[start:start + 10]:
                if not self.goes_on or token not in self.assets:
                    break
                await self.fetch(token, stream, name, connection)
                await asyncio.sleep(self.random.random() * self.arguments.pace)
            await asyncio.sleep(0.05)
        connection.close()

    async def playlist(self, connection, token):
        """The files of one of an asset's renditions; none while it can't be had."""
        path = f"/assets/{token}/master.m3u8"
        for _ in range(2):
            reply = await connection.request("GET", path)
            if reply is None or reply.status != 200:
                if self.is_intended(path, reply) and reply and reply.status not in (404, 503):
                    self.note(f"{path}: {reply.status}")
                return []
            named = playing.named(reply.body.decode(), path)
            path = self.random.choice(named) if named else path
            if not path.endswith("media.m3u8"):
                break
        return [playing.below(token, path) for path in named]

    def watched(self, token, name):
        """Tells later on whether a file of an asset was there all the time since now."""
        since = self.complete.get(token)
        is_there = since is not None and name.split("/")[0] not in since[1]
        return lambda: is_there and self.complete.get(token) == since

    async def fetch(self, token, stream, name, connection=None, must=False):
        """Gets a file, or a part of it, and compares."""
        path, wanted = f"/assets/{token}/{name}", stream.expected_at(name)
        if wanted is None:
            return
        if not must and self.random.random() < 0.05:
            return await self.play_oddly(path, self.watched(token, name), wanted, connection)
        is_there = self.watched(token, name)
        method, fields, part = clients.wish(self.random, len(wanted))
        connection = connection or clients.Connection(self.server.port)
        reply = await connection.request(method, path, fields)
        self.counts[f"GET {reply.status if reply and reply.whole else 'broken'}"] += 1
        if must:
            connection.close()
        is_had = self.judge(path, reply, must or is_there(), method, part, wanted)
        if is_had and method == "GET" and not must:
            self.counts["ranges" if reply.status == 206 else "whole"] += 1

    def judge(self, path, reply, is_there, method, part, wanted):
        """What is there is to be had, and right. What is not there yet may be refused for now, or break off.

        Whether all of what was asked for came.
        """
        is_broken = reply is None or not reply.whole
        if is_broken and is_there:
            self.note(f"a segment of a complete asset broke off: {path}")
        elif reply and reply.status in (200, 206, 416):
            if problem := clients.judged(method, part, reply, wanted):
                self.note(f"{path}: {problem}")
            return not problem and reply.whole and reply.status != 416
        elif not is_broken and self.is_intended(path, reply) and (is_there or reply.status not in (404, 503)):
            self.note(f"{path}: {reply.status} {reply.body[:200]}")
        return False

    async def play_oddly(self, path, is_there, wanted, connection):
        """As slow clients do, those that leave, and those that have it already."""
        kind = self.random.choice(["slowly", "briefly", "conditions"])
        if kind == "briefly":
            await clients.briefly(self.server.port, path, self.random)
            self.counts["briefly"] += 1
        elif kind == "slowly":
            reply = await clients.slowly(self.server.port, path)
            self.counts["slowly"] += self.judge(path, reply, is_there(), "GET", (0, len(wanted) - 1), wanted)
        elif is_there():
            if problem := await clients.conditions(connection, path, wanted, is_there):
                self.note(f"{path}: {problem}")
            self.counts["conditions"] += is_there()

    # MARK: Commands

    async def controller(self):
        """Pauses, resumes and looks at this and that."""
        while self.goes_on:
            await asyncio.sleep(self.random.random() * 2)
            if not self.assets:
                continue
            token = self.random.choice(list(self.assets))
            name, path, body = self.random.choice([
                ("pause", f"/assets/{token}/pause", {}), ("resume", f"/assets/{token}/resume", {}),
                ("look", f"/assets/{token}", None), ("look", "/assets", None), ("look", "/storage", None)])
            reply = await self.server.call("GET" if body is None else "POST", path, body)
            self.counts[name] += reply is not None and reply.status == 200
            if reply is None:
                self.note(f"{path}: no answer")
            elif self.is_intended(path, reply) and 400 <= reply.status < 500:
                # What is complete can't be paused, and what is removed is not there, or just being removed.
                is_gone = reply.status in (404, 409) and token not in self.assets
                if not is_gone and not (reply.status == 409 and path.endswith("pause")):
                    self.note(f"{path}: {reply.status} {reply.body[:200]}")

    async def sampler(self):
        while self.goes_on:
            usage = dict(zip(flatness.ALLOWED, self.server.usage()))
            self.samples.append((time.monotonic() - self.started, usage))
            print(usage, dict(self.counts), file=sys.stderr)
            await asyncio.sleep(max(1, self.arguments.seconds / 60))

    async def run(self):
        jobs = [self.downloader() for _ in range(self.arguments.downloads)]
        jobs += [self.player() for _ in range(self.arguments.players)]
        jobs += [self.controller(), self.controller(), self.sampler(), chores.record(self), chores.follow(self)]
        await asyncio.gather(*jobs)
        deadline = time.monotonic() + 30
        while any((Path(self.server.store) / "removed").iterdir()) and time.monotonic() < deadline:
            await asyncio.sleep(0.2)

    def verdict(self, log):
        """What is wrong at the end, besides what went wrong."""
        self.wrong += flatness.grown(self.samples, self.arguments.seconds)
        self.wrong += flatness.left(Path(self.server.store))
        self.wrong += flatness.errors(log)
        answers = sum(count for name, count in self.counts.items() if name.startswith("GET "))
        # What breaks off began while it arrived: no more often than the origin breaks off.
        if self.counts["GET broken"] > max(5, answers * self.arguments.faults):
            self.wrong.append(f"{self.counts['GET broken']} of {answers} answers broke off")
        # Everything that the origin refuses comes from fresh addresses, and the rest at the next try.
        if len(self.given_up) > max(1, self.counts["complete"] / 100):
            self.wrong.append(f"{len(self.given_up)} renditions of {self.counts['complete']} assets were given up")
        self.wrong += self.few()
        return self.wrong

    def few(self):
        """What should have happened more often after the first seconds, in words."""
        given = self.arguments
        share = min(1, given.players / USUAL_PLAYERS, given.downloads / USUAL_DOWNLOADS,
                    USUAL_PACE / max(given.pace, USUAL_PACE))
        for seconds, names in LEAST.items():
            least = int((given.seconds - FIRST_SECONDS) * share / seconds)
            for name in names:
                if self.counts[name] < least:
                    yield f"{name}: {self.counts[name]} in {given.seconds:.0f} s, and {least} are the least"


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--players", type=int, default=USUAL_PLAYERS)
    parser.add_argument("--downloads", type=int, default=USUAL_DOWNLOADS)
    parser.add_argument("--pace", type=float, default=USUAL_PACE,
                        help="longest pause of a player between segments, seconds")
    parser.add_argument("--faults", type=float, default=0.1, help="share of the origin's answers that go wrong")
    parser.add_argument("--seed", type=int, default=1, help="of what is done and what fails; threads have none")
    parser.add_argument("--program")
    return parser.parse_args()


async def main():
    arguments = parse()
    print(f"seed {arguments.seed}")
    folder = Path(tempfile.mkdtemp(prefix="offline-server-soak-"))
    source = origin.Origin(arguments.faults, delay=0.02, seed=arguments.seed, playlist_faults=arguments.faults / 5,
                           expiry=arguments.faults / 50)
    await source.start()
    with open(folder / "server.log", "wb") as log:
        server = product.Server(product.program(arguments), folder / "store", log, options=["--max-downloads", "6"])
        if not await server.start():
            sys.exit(f"the server did not start; see {folder}/server.log")
        soak = Soak(server, source, arguments)
        await soak.run()
        status = await server.stop()
    wrong = soak.verdict(folder / "server.log")
    wrong += [] if status == 0 else [f"the server ended with {status} on SIGTERM"]
    print(dict(soak.counts))
    print("\n".join(["WRONG:", *wrong]) if wrong else "nothing wrong")
    if wrong:
        sys.exit(f"the store and the log are in {folder}")
    shutil.rmtree(folder)


asyncio.run(main())
