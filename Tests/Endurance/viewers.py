#!/usr/bin/env python3
"""Counts what viewers cost the nodes of a shared store: 500 players of one segment that is arriving, then many players of stored ones.

For 1, 2, 4 and 8 nodes (--nodes): while one segment arrives slowly, 500 players ask all nodes for it. The origin must get one request,
and the active node one from each other node. Then players ask all nodes for the stored segments of an asset. For 1,000 requests of
players it prints the CPU time of the active node and of the others, the transactions in PostgreSQL, the requests to S3 and those between
nodes. Every body is compared byte for byte. Nothing is judged by its time.
"""
import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import origin
import playing
import product
from services import Services

SEGMENTS, ROUNDS, PLAYERS = 20, 60, 500
TICKS = os.sysconf("SC_CLK_TCK")


class Wrong(Exception):
    """A thing that is not as it must be."""


def demand(holds, sentence):
    if not holds:
        raise Wrong(sentence)


def cpu(node):
    """Seconds of CPU that a node has used."""
    fields = Path(f"/proc/{node.child.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Connection:
    """A player's connection to one node, which stays open."""

    def __init__(self, port):
        self.port = port

    async def get(self, path):
        if not hasattr(self, "writer"):
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        await product.ask(self.writer, self.port, "GET", path, [])
        return await product.answer(self.reader, "GET")

    def close(self):
        if hasattr(self, "writer"):
            self.writer.close()


class Trial:
    def __init__(self, folder, services, source, program, log, count):
        self.folder, self.services, self.source, self.program, self.log = folder, services, source, program, log
        self.count, self.nodes = count, []

    async def begin(self):
        for number in range(self.count):
            store = self.folder / f"{self.count}-node-{number}"
            store.mkdir()
            key = self.folder / f"{self.count}-node-0/store.key"
            if number:
                shutil.copy(key, store / "store.key")
            elif (self.folder / "store.key").exists():
                shutil.copy(self.folder / "store.key", key)
            node = product.Server(self.program, store, self.log, {}, self.services.options)
            demand(await node.start(), f"node {number} did not start")
            self.nodes.append(node)
            await self.ready(node)
        shutil.copy(self.folder / f"{self.count}-node-0/store.key", self.folder / "store.key")
        demand(await product.is_active_node(self.nodes[0]), "the first node is not active")

    async def ready(self, node):
        for _ in range(600):
            reply = await product.request(node.port, "GET", "/readyz", patience=5)
            if reply and reply.status == 200:
                return
            await asyncio.sleep(0.05)
        raise Wrong("a node is not ready")

    async def between(self):
        """Requests that other nodes have sent to the active one."""
        figures = [await product.node_figures(node) for node in self.nodes[1:]]
        return int(sum(each["offline_server_node_fetches_total"]
                       + each['offline_server_node_requests_total{answer="passed_on"}'] for each in figures))

    async def add(self, number, segments):
        stream = origin.Stream(number, segments, "plain")
        status = await self.nodes[0].call("POST", "/assets", {"url": self.source.url(*stream)})
        demand(status and status.status == 201, f"an asset can't be added: {status and status.status}")
        return status.json["token"], stream

    async def files(self, token):
        """The paths below an asset of all its media."""
        found = await playing.files(self.nodes[0].port, token)
        demand(found, "an asset has no playlists")
        return found

    async def arriving(self):
        """Players of one segment while it arrives."""
        gate = self.source.hold()
        token, stream = await self.add(1000 + self.count, 1)
        while self.source.held == 0:
            await asyncio.sleep(0.02)
        path = (await self.files(token))[0]
        before = await self.between()
        players = [Connection(self.nodes[number % self.count].port) for number in range(PLAYERS)]
        waiting = [asyncio.ensure_future(player.get(f"/assets/{token}/{path}")) for player in players]
        await asyncio.sleep(3)
        asked = self.source.held
        gate.set()
        wanted = stream.expected_at(path)
        for reply in await asyncio.gather(*waiting):
            demand(reply.status == 200 and reply.whole and reply.body == wanted, f"a player got {reply.status}")
        for player in players:
            player.close()
        peers = await self.between() - before
        print(f"{self.count} nodes: {PLAYERS} players of one segment that arrives: {asked} request at the origin, "
              f"{peers} between nodes")
        demand(asked == 1, f"{asked} requests at the origin")
        demand(peers <= self.count - 1, f"{peers} requests between {self.count} nodes")

    async def complete(self, token):
        for _ in range(1200):
            reply = await self.nodes[0].call("GET", f"/assets/{token}")
            if reply and reply.status == 200 and reply.json["state"] == "complete":
                return
            await asyncio.sleep(0.1)
        raise Wrong("an asset is not complete")

    def transactions(self):
        return int(self.services.rows("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()")[0])

    async def stored(self):
        """Players of stored segments."""
        token, stream = await self.add(2000 + self.count, SEGMENTS)
        await self.complete(token)
        paths = await self.files(token)
        players = [Connection(self.nodes[number % self.count].port) for number in range(16)]
        # Each node gets each segment once before it is counted.
        await self.play(players[:self.count], token, stream, paths, 1)
        # The nodes watch each other all the time, with players and without: that is not counted.
        idle, begun = self.transactions(), time.monotonic()
        await asyncio.sleep(6)
        rate = (self.transactions() - idle) / (time.monotonic() - begun)
        before = [cpu(node) for node in self.nodes], await self.between(), self.transactions(), time.monotonic()
        count = await self.play(players, token, stream, paths, ROUNDS)
        took = time.monotonic() - before[3]
        used = [cpu(node) - then for node, then in zip(self.nodes, before[0])]
        # PostgreSQL tells its figures a moment later.
        peers = await self.between() - before[1]
        await asyncio.sleep(1.5)
        transactions = max(self.transactions() - before[2] - rate * (time.monotonic() - before[3]), 0)
        for player in players:
            player.close()
        scale = 1000 / count
        print(f"{self.count} nodes: {count} segments in {took:.1f} s; for 1,000 of them {1000 * used[0] * scale:.0f} ms of CPU on the active node, "
              f"{1000 * sum(used) * scale:.0f} ms on all, {peers * scale:.1f} requests between nodes, {transactions * scale:.1f} transactions")

    async def play(self, players, token, stream, paths, rounds):
        wanted = {path: stream.expected_at(path) for path in paths}

        async def one(player, shift):
            for number in range(rounds * len(paths)):
                path = paths[(number + shift) % len(paths)]
                reply = await player.get(f"/assets/{token}/{path}")
                demand(reply.status == 200 and reply.whole and reply.body == wanted[path], f"{path} is {reply.status}")
        await asyncio.gather(*(one(player, shift) for shift, player in enumerate(players)))
        return rounds * len(paths) * len(players)

    async def end(self):
        for node in reversed(self.nodes):
            await node.stop()


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", default="1,2,4,8", help="numbers of nodes, such as 1,4")
    parser.add_argument("--program")
    arguments = parser.parse_args()
    program = product.program(arguments)
    folder = Path(tempfile.mkdtemp(prefix="offline-server-viewers-"))
    source = origin.Origin()
    await source.start()
    services, wrong = Services(folder), None
    with open(folder / "nodes.log", "wb") as log:
        for count in map(int, arguments.nodes.split(",")):
            trial = Trial(folder, services, source, program, log, count)
            try:
                await trial.begin()
                await trial.arriving()
                source.gate = None
                await trial.stored()
            except Wrong as error:
                wrong = error
            finally:
                await trial.end()
            if wrong:
                break
    services.stop()
    if wrong:
        sys.exit(f"WRONG: {wrong}\nthe folders of the nodes and their log are in {folder}")
    shutil.rmtree(folder)
    print("nothing wrong")


asyncio.run(main())
