#!/usr/bin/env python3
"""Runs the load balancers' configurations of packaging/ in front of two nodes that share a store, and kills the active one.

HAProxy and nginx stand in front of the same nodes, with the files as they are but for their ports. The nodes have their secrets as
compose.yaml and kubernetes.yaml give them, demand the token, and answer to the name of the load balancer. Through each of the two, a client adds assets, follows the events and plays while
the asset is downloaded, byte for byte. Then the active node is killed: until the other one has taken over, each request is
told to come again (Retry-After) or breaks, and afterwards everything that was acknowledged is there. SIGTERM hands over sooner.
"""
import argparse
import asyncio
import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path

import origin
import playing
import product
from services import Services

PACKAGING = product.ROOT / "packaging"
# What the files in packaging/ name, and the name that players use.
LISTENING, NODES, NAME = 8080, (8091, 8092), "films.example:8080"
# Seconds until another node is active, on a busy machine.
AFTER_KILL, AFTER_END = 25, 15


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


class Balancer:
    """A load balancer in front of the nodes, and what a client sees through it."""

    def __init__(self, kind, folder, nodes, token):
        self.kind, self.folder, self.token, self.port = kind, folder / kind, token, free_port()
        self.child = None
        self.folder.mkdir()
        self.file = self.folder / f"cluster-{kind}"
        self.file.write_text(self.configuration(nodes))

    def configuration(self, nodes):
        """The file of packaging/ with the ports of here; HAProxy gets the rest from its environment."""
        name = {"haproxy": "cluster-haproxy.cfg", "nginx": "cluster-nginx.conf"}[self.kind]
        text = (PACKAGING / name).read_text()
        listening = {"haproxy": f"bind :{LISTENING}", "nginx": f"listen {LISTENING};"}[self.kind]
        here = {"haproxy": f"bind 127.0.0.1:{self.port}", "nginx": f"listen 127.0.0.1:{self.port};"}[self.kind]
        addresses = [f"127.0.0.1:{node.port}" for node in nodes]
        self.environment = {"NODE_1": addresses[0], "NODE_2": addresses[1], "READY": f"/t/{self.token}/readyz"}
        changes = [(listening, here)]
        if self.kind == "nginx":
            changes += [(f"127.0.0.1:{old}", new) for old, new in zip(NODES, addresses)]
        for old, new in changes:
            if text.count(old) != 1:
                sys.exit(f"packaging/{name} has not one {old!r}, but {text.count(old)}")
            text = text.replace(old, new)
        return text

    async def start(self, log):
        words = ["haproxy", "-dW", "-db", "-f", self.file] if self.kind == "haproxy" else ["nginx", "-c", self.around()]
        self.child = await asyncio.create_subprocess_exec(
            *map(str, words), stdout=log, stderr=log, 
            env={**os.environ, **self.environment, "PATH": f"/usr/sbin:{os.environ['PATH']}"})

    def around(self):
        """nginx reads the file as a part of its own configuration."""
        places = " ".join(f"{name}_temp_path {self.folder};"
                          for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.getuid() == 0 else ""
        file = self.folder / "nginx.conf"
        file.write_text(f"{user} daemon off; pid {self.folder}/pid; error_log stderr; events {{}}\n"
                        f"http {{ access_log off; {places}\ninclude {self.file}; }}\n")
        return file

    async def request(self, method, path, body=None, authorized=True, fields=(), patience=60):
        fields = [f"Host: {NAME}", *fields] + ([f"Authorization: Bearer {self.token}"] if authorized else [])
        return await product.request(self.port, method, path, fields, body, patience)

    async def call(self, method, path, body=None, fields=()):
        return await self.request(method, f"/api/v1{path}", body, fields=fields)

    def served(self, token, path):
        """A path of an asset, for a player that has no header fields."""
        return f"/t/{self.token}/assets/{token}/{path}"

    async def files(self, token):
        """The paths below an asset of all its media, as the playlists name them."""
        found, base = [], self.served(token, "")
        for media in await self.named(base + "master.m3u8"):
            found += [path.removeprefix(base) for path in await self.named(media)]
        return found

    async def named(self, path):
        reply = await self.request("GET", path, authorized=False)
        if reply is None or reply.status != 200 or not reply.whole:
            raise Wrong(f"{self.kind}: {path.split('/assets/')[-1]} is {reply and reply.status}")
        return playing.named(reply.body.decode(), path)

    async def end(self):
        if self.child and self.child.returncode is None:
            self.child.terminate()
            await self.child.wait()


class Wrong(Exception):
    """A thing that is not as it must be."""


def demand(holds, sentence):
    if not holds:
        raise Wrong(sentence)


class Trial:
    """Two nodes, both load balancers, and the assets that were acknowledged."""

    def __init__(self, folder, services, source, program, log):
        self.folder, self.services, self.source, self.program, self.log = folder, services, source, program, log
        self.nodes, self.balancers, self.assets, self.number = [], [], {}, 0
        self.token, self.key = secrets.token_hex(32), folder / "store.key"
        self.key.write_text(secrets.token_hex(32) + "\n")

    async def run(self):
        began = time.monotonic()
        await self.begin()
        for balancer in self.balancers:
            await self.refuses_strangers(balancer)
            await self.plays_while_it_arrives(balancer)
            await self.follows_events(balancer)
        print(f"plays, changes and events through both: {time.monotonic() - began:.1f} s since the start")
        await self.takes_over(signal.SIGKILL, AFTER_KILL)
        await self.takes_over(signal.SIGTERM, AFTER_END)

    async def begin(self):
        for number in range(2):
            self.nodes.append(await self.start(number))
        self.balancers = [Balancer(kind, self.folder, self.nodes, self.token) for kind in ("haproxy", "nginx")]
        for balancer in self.balancers:
            await balancer.start(self.log)
            await self.ready(balancer, time.monotonic() + 20)

    async def start(self, number, port=0):
        store = self.folder / f"node-{number}"
        store.mkdir(exist_ok=True)
        (store / "api-token").write_text(self.token)
        environment = {"OFFLINE_SERVER_STORE_KEY_FILE": str(self.key), "OFFLINE_SERVER_CATALOG": self.services.url}
        options = [*self.services.options[2:], "--listen", f"127.0.0.1:{port}", "--require-token", "--public-url", f"http://{NAME}"]
        node = product.Server(self.program, store, self.log, environment, options)
        demand(await node.start(), f"node {number} did not start")
        node.number = number
        return node

    async def ready(self, balancer, end):
        while True:
            reply = await balancer.request("GET", "/readyz", patience=5)
            if reply is not None and reply.status == 200:
                return
            demand(balancer.child.returncode is None, f"{balancer.kind} does not take the configuration")
            demand(time.monotonic() < end, f"{balancer.kind}: nobody is ready behind it")
            await asyncio.sleep(0.1)

    async def refuses_strangers(self, balancer):
        """The token is demanded through the load balancer, too."""
        reply = await balancer.request("GET", "/api/v1/assets", authorized=False)
        demand(reply and reply.status == 401, f"{balancer.kind}: without a token the API says {reply and reply.status}")

    async def add(self, balancer, segments, shape="plain"):
        """Adds an asset, and asks again until that is acknowledged, as one does with a key for it."""
        self.number += 1
        stream, end = origin.Stream(self.number, segments, shape), time.monotonic() + 60
        while True:
            reply = await balancer.call("POST", "/assets", {"url": self.source.url(*stream)},
                                        [f"Idempotency-Key: {stream.name}"])
            if reply and reply.whole and reply.status in (200, 201):
                token = reply.json["token"]
                self.assets[token] = stream
                demand(reply.json["playlist_url"].startswith(f"http://{NAME}/"),
                       f"{balancer.kind}: the playlist is at {reply.json['playlist_url']}, which players do not reach")
                return token
            self.is_outage(balancer, reply)
            demand(time.monotonic() < end, f"{balancer.kind}: an asset could not be added for 60 s")
            await asyncio.sleep(0.2)

    def is_outage(self, balancer, reply):
        """What is not done while no node is active says so, and when to ask again; or its connection breaks."""
        if reply is None or not reply.whole:
            return
        demand(reply.status in (502, 503, 504), f"{balancer.kind}: {reply.status} while no node is active")
        demand("retry-after" in reply.fields, f"{balancer.kind}: {reply.status} without Retry-After")

    async def plays_while_it_arrives(self, balancer):
        for shape in ("plain", "rich"):
            token = await self.add(balancer, 12, shape)
            files = await balancer.files(token)
            demand(len(files) >= 12, f"{balancer.kind}: the playlists of {shape} name {len(files)} files")
            for path in files:
                await self.compare(balancer, token, path)

    async def compare(self, balancer, token, path):
        wanted = self.assets[token].expected_at(path)
        reply = wanted and await balancer.request("GET", balancer.served(token, path), authorized=False)
        if wanted is not None:
            demand(reply and reply.whole and reply.status == 200, f"{balancer.kind}: {path} is {reply and reply.status}")
            demand(reply.body == wanted, f"{balancer.kind}: {path} has other bytes")

    async def follows_events(self, balancer):
        """An event comes while the connection is open, and not when a buffer is full."""
        reader, writer = await asyncio.open_connection("127.0.0.1", balancer.port)
        try:
            await product.ask(writer, balancer.port, "GET", "/api/v1/events",
                              [f"Host: {NAME}", f"Authorization: Bearer {balancer.token}"])
            status, _ = await asyncio.wait_for(product.head_of(reader), 10)
            demand(status == 200, f"{balancer.kind}: the events are {status}")
            token = await self.add(balancer, 3)
            await asyncio.wait_for(reader.readuntil(token.encode()), 10)
        except asyncio.TimeoutError:
            raise Wrong(f"{balancer.kind}: an event did not come for 10 s") from None
        finally:
            writer.close()

    async def takes_over(self, way, bound):
        """Takes the active node away while assets arrive and clients ask for more."""
        for balancer in self.balancers:
            await self.add(balancer, 30)
        before = dict(self.assets)
        active = await self.active()
        began = time.monotonic()
        active.child.send_signal(way)
        # It still answers for a moment after SIGTERM.
        demand(await active.child.wait() == {signal.SIGKILL: -9, signal.SIGTERM: 0}[way], "the node did not end as told")
        took = await asyncio.gather(*(self.resumes(balancer, began, bound) for balancer in self.balancers))
        print(f"{way.name}: an asset is added again after", ", ".join(
            f"{seconds:.1f} s ({balancer.kind})" for balancer, seconds in zip(self.balancers, took)))
        for balancer in self.balancers:
            for token in before:
                await self.holds(balancer, token)
        # The address of a node is in the configurations, so that it comes back with its port.
        self.nodes[active.number] = await self.start(active.number, active.port)

    async def active(self):
        for node in self.nodes:
            if await product.is_active_node(node):
                return node
        raise Wrong("no node is active")

    async def resumes(self, balancer, began, bound):
        await self.add(balancer, 3)
        took = time.monotonic() - began
        demand(took < bound, f"{balancer.kind}: nothing could be added for {took:.1f} s")
        return took

    async def holds(self, balancer, token):
        """An asset that was acknowledged is there, comes to its end and has its bytes."""
        end, state = time.monotonic() + 60, None
        while state != "complete":
            reply = await balancer.call("GET", f"/assets/{token}")
            if reply and reply.status == 200:
                state = reply.json["state"]
            else:
                # A load balancer finds out after a moment which nodes are there.
                self.is_outage(balancer, reply)
            demand(state != "failed" and time.monotonic() < end, f"{balancer.kind}: an asset is {state} after a takeover")
            await asyncio.sleep(0.1)
        for path in (await balancer.files(token))[::5]:
            await self.compare(balancer, token, path)

    async def end(self):
        for balancer in self.balancers:
            await balancer.end()
        for node in self.nodes:
            node.kill()
            await node.child.wait()


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    program = product.program(parser.parse_args())
    folder = Path(tempfile.mkdtemp(prefix="offline-server-balancers-"))
    source = origin.Origin(delay=0.05)
    await source.start()
    services, wrong = Services(folder), None
    with open(folder / "processes.log", "wb") as log:
        trial = Trial(folder, services, source, program, log)
        try:
            await trial.run()
        except Wrong as error:
            wrong = error
        finally:
            await trial.end()
            services.stop()
    if wrong:
        sys.exit(f"WRONG: {wrong}\nthe folders of the processes and their log are in {folder}")
    shutil.rmtree(folder)
    print("nothing wrong")


asyncio.run(main())
