#!/usr/bin/env python3
"""Has many players begin to watch rented films at once, on three nodes of a shared store whose clocks differ by a day.

Eight players of each node ask for the key of a film at the same moment. All of them must get it, and the film must have one moment of
its first play, by the database's clock, on each node. Half way the active node is killed: the moments must stay. Then films are revoked
while players of all nodes ask for their keys again and again: some seconds after the answer to the revocation no node may hand one out.
"""
import asyncio
import shutil
import subprocess
import time
from datetime import datetime

import origin
import playing
import product
from trial import Trial, options

# By how many seconds the clock of each node is wrong.
CLOCKS = [0, 86_400, -86_400]
# A node knows the database's clock to within the time of a query, in seconds.
EXACT = 2
PLAYERS = 8
# Films that are revoked, and the seconds within which the last node stops.
REVOKED, BOUND = 30, 2


class Rentals(Trial):
    """Three nodes, and the films that were rented."""

    def __init__(self, *facts):
        super().__init__(*facts)
        self.keys, self.films, self.moments, self.late = 0, {}, {}, []
        self.clock = self.folder / "clock.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.clock, product.ROOT / "Tests/Endurance/clock.c", "-ldl"], check=True)

    async def start(self, number):
        store = self.folder / f"node-{number}"
        store.mkdir(exist_ok=True)
        if number and not (store / "store.key").exists():
            shutil.copy(self.folder / "node-0/store.key", store / "store.key")
        clock = {"LD_PRELOAD": str(self.clock), "CLOCK_SHIFT": str(CLOCKS[number])}
        node = product.Server(self.arguments.binary, store, self.log, clock, self.services.options)
        node.number = number
        if not await node.start():
            raise SystemExit(f"node {number} did not start; see {self.folder}")
        self.nodes.append(node)

    async def active(self):
        """The active node, when there is one and the others pass requests on."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            ready = [await product.request(node.port, "GET", "/readyz", patience=2) for node in self.nodes]
            for node in self.nodes:
                if all(reply and reply.status == 200 for reply in ready) and await product.is_active_node(node):
                    return node
            await asyncio.sleep(0.1)
        raise SystemExit(f"no node becomes active; see {self.folder}")

    async def run(self):
        await self.start(0)
        await self.active()
        for number in range(1, len(CLOCKS)):
            await self.start(number)
        await self.rent()
        films = list(self.films)
        await self.play(films[:len(films) // 2])
        await self.lose(await self.active())
        await self.play(films[len(films) // 2:])
        await self.look()
        await asyncio.gather(*map(self.revoke, self.random.sample(films, min(REVOKED, len(films)))))
        for node in self.nodes[::-1]:
            if await node.stop() != 0:
                self.note(f"node {node.number} did not end well")

    async def rent(self):
        """Downloads the films: every third stream of the origin has a key."""
        node = await self.active()
        for number in range(3, 3 * self.arguments.films + 1, 3):
            stream = origin.Stream(number, 1, "plain")
            asked = {"url": self.source.url(*stream), "rental": "30d", "play_window": "48h"}
            reply = await node.call("POST", "/assets", asked)
            self.films[reply.json["token"]] = stream
        end = time.monotonic() + 60 + len(self.films)
        while self.services.rows("SELECT count(*) FROM asset WHERE state = 'complete'") != [str(len(self.films))]:
            if time.monotonic() > end:
                raise SystemExit(f"the downloads do not end; see {self.folder}")
            await asyncio.sleep(0.2)

    async def key_path(self, node, token):
        """The path of a film's key."""
        playlist = await playing.text(node.port, (await playing.media_playlists(node.port, token))[0])
        uri = next(playing.URI.search(line)[1] for line in playlist.splitlines() if line.startswith("#EXT-X-KEY"))
        return playing.path_of(uri, f"/assets/{token}/video/index.m3u8")

    async def first_played(self, node, token):
        reply = await node.call("GET", f"/assets/{token}/license")
        moment = reply and reply.status == 200 and reply.json["first_played_at"]
        return moment and datetime.fromisoformat(moment).timestamp()

    async def play(self, tokens):
        """Has all players of all nodes begin with each film at once."""
        for token in tokens:
            path = await self.key_path(self.nodes[0], token)
            if await self.first_played(self.nodes[0], token):
                self.note(f"{token} counts as played before its key was handed out")
            before = time.time()
            replies = await asyncio.gather(*(
                product.request(node.port, "GET", path) for node in self.nodes for _ in range(PLAYERS)))
            wanted = origin.key(self.films[token].number)
            for reply in replies:
                if reply is None or reply.status != 200 or reply.body != wanted:
                    self.note(f"{token}: a key was answered with {reply and reply.status}")
            self.keys += len(replies)
            moments = {await self.first_played(node, token) for node in self.nodes}
            if len(moments) != 1 or not all(moments) or abs(min(moments) - before) > EXACT:
                self.note(f"{token} was played first at {moments}, asked for at {before}")
            else:
                self.moments[token] = moments.pop()

    async def lose(self, node):
        """Kills the active node. What was played first before stays so, also when it is played again."""
        self.nodes.remove(node)
        node.kill()
        await node.child.wait()
        await self.active()
        await self.start(node.number)
        for token in list(self.moments)[:50]:
            await product.request((await self.active()).port, "GET", await self.key_path(self.nodes[0], token))

    async def look(self):
        """All moments, as each node tells them."""
        for token, moment in self.moments.items():
            for node in self.nodes:
                if await self.first_played(node, token) != moment:
                    self.note(f"{token} was played first at another time, node {node.number} says")

    async def revoke(self, token):
        """Revokes a film on one node while players of all nodes ask for its key."""
        path, answered = await self.key_path(self.nodes[0], token), None

        async def ask(node):
            last = 0
            while answered is None or time.monotonic() < answered + BOUND + 1:
                reply = await product.request(node.port, "GET", path)
                if reply and reply.status == 200:
                    last = time.monotonic()
                await asyncio.sleep(0.01)
            return last

        players = [asyncio.create_task(ask(node)) for node in self.nodes]
        await asyncio.sleep(0.1)
        reply = await self.random.choice(self.nodes).call("POST", f"/assets/{token}/revoke", {})
        answered = time.monotonic()
        if reply is None or reply.status != 200:
            self.note(f"{token} was not revoked: {reply and reply.status}")
        late = max(await asyncio.gather(*players)) - answered
        self.late.append(late)
        if late > BOUND:
            self.note(f"{token}: a key was handed out {late:.2f} s after the revocation")

    def summary(self):
        late = max(self.late, default=0)
        return (f"{len(self.moments)} films with one moment of the first play, {self.keys} keys handed out, {len(self.late)} "
                f"revoked, the last key {'before the answer' if late <= 0 else f'{late:.2f} s after the answer'}")


def parse():
    parser = options(__doc__)
    parser.add_argument("--films", type=int, default=100)
    return parser.parse_args()


arguments = parse()
asyncio.run(Rentals.hold(arguments, origin.Origin(seed=arguments.seed)))
