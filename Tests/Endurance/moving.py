#!/usr/bin/env python3
"""Moves a store into a shared one, backs that up and restores it, and moves it back, with `kill -9` all the way.

The catalog is in a PostgreSQL server and the media in an S3 server (moto), both started here. Each migration is killed at random
moments until one comes to its end; a store that is half there must be refused. The shared store is then backed up as
docs/how-to/cluster.md says while its node serves: the bucket, `pg_dump`, the bucket again, `store.key`. It is restored into a new
database and another prefix of the bucket. Every file that a player can get must be the same everywhere, byte for byte.
"""
import asyncio
import shutil
import subprocess
import time

import origin
import playing
import product
from trial import Trial, options


class Moves(Trial):
    """A store, wherever it is, and everything that players get of it."""

    def __init__(self, *facts):
        super().__init__(*facts)
        self.kills, self.whole = 0, {}

    async def serve(self, name, options=()):
        """Serves the store of a folder, and returns when it is served."""
        store = self.folder / name
        store.mkdir(exist_ok=True)
        server = product.Server(self.arguments.binary, store, self.log, {}, list(options))
        if not await server.start():
            raise SystemExit(f"{name} is not served; see {self.folder}/nodes.log")
        end = time.monotonic() + 40
        while time.monotonic() < end:
            reply = await product.request(server.port, "GET", "/readyz", patience=2)
            if reply is not None and reply.status == 200:
                return server
            await asyncio.sleep(0.1)
        raise SystemExit(f"{name} is not ready; see {self.folder}/log")

    async def make(self):
        """Fills a store of one machine."""
        server = await self.serve("one")
        for number in range(self.arguments.assets):
            stream = origin.Stream(number + 1, self.random.randint(3, 30), "rich" if number % 3 == 0 else "plain")
            reply = await server.call("POST", "/assets", {"url": self.source.url(*stream), "tags": [f"n{number}"]})
            self.whole[reply.json["token"]] = {}
        for token in self.whole:
            while (await server.call("GET", f"/assets/{token}")).json["state"] != "complete":
                await asyncio.sleep(0.05)
        for token in self.whole:
            self.whole[token] = await self.seen(server, token)
        await server.stop()

    async def seen(self, server, token):
        """The bytes of all files that an asset's playlists name, and the facts that are told of it."""
        found = {}
        for path in await playing.files(server.port, token) or []:
            reply = await product.request(server.port, "GET", f"/assets/{token}/{path}")
            found[path] = reply.body if reply and reply.status == 200 and reply.whole else reply and reply.status
        asset = (await server.call("GET", f"/assets/{token}")).json
        found["facts"] = {name: asset[name] for name in ("state", "tags", "name", "source_url", "health")}
        return found

    async def compare(self, server, name):
        listed = (await server.call("GET", "/assets?limit=1000")).json["assets"]
        if {asset["token"] for asset in listed} != set(self.whole):
            self.note(f"{name} has {len(listed)} assets, not {len(self.whole)}")
        files = 0
        for token, before in self.whole.items():
            now = await self.seen(server, token)
            files += len(now) - 1
            for path in before:
                if now.get(path) != before[path]:
                    self.note(f"{name}: {token}/{path} is not as it was")
        print(f"{name}: {len(self.whole)} assets, {files} files are as they were")

    def command(self, store, *words):
        return subprocess.Popen([self.arguments.binary, "--store", self.folder / store, *words],
                                stdout=self.log, stderr=self.log)

    async def migrate(self, store, options, *more):
        """Kills it at random moments, and lets the last one come to its end."""
        longest = 0.2
        for _ in range(self.arguments.rounds):
            began = time.monotonic()
            child = self.command(store, "migrate", *options, *more)
            try:
                status = child.wait(longest * (0.2 + self.random.random()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                self.kills += 1
                # The lease of a killed one is waited for, in which nothing is copied.
                self.end_lease()
                longest = min(longest * 1.3, 5)
                continue
            print(f"{' '.join(more) or 'there'}: status {status} after {time.monotonic() - began:.1f} s")
            break
        done = self.command(store, "migrate", *options, *more)
        if done.wait(120) != 0:
            self.note(f"migrate {' '.join(more)} ended with {done.returncode}")

    def end_lease(self):
        try:
            self.services.rows("UPDATE node SET lease_until = now() - interval '1 second'")
        except subprocess.CalledProcessError:
            pass  # There are no tables yet.

    def copy_objects(self, prefix):
        """Copies the objects of the store below another prefix, and deletes none there."""
        client, bucket = self.services.client, self.services.s3["bucket"]
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix="films/")
        for item in (item for page in pages for item in page.get("Contents", [])):
            key = f"{prefix}/{item['Key'].removeprefix('films/')}"
            client.copy_object(Bucket=bucket, Key=key, CopySource={"Bucket": bucket, "Key": item["Key"]})

    async def back_up(self, server):
        """Backs up while the store changes; what is added behind the dump is not in it."""
        self.copy_objects("restored")
        stream = origin.Stream(900, 12, "plain")
        token = (await server.call("POST", "/assets", {"url": self.source.url(*stream)})).json["token"]
        while (await server.call("GET", f"/assets/{token}")).json["state"] != "complete":
            await asyncio.sleep(0.05)
        self.whole[token] = await self.seen(server, token)
        dump = self.folder / "dump"
        subprocess.run(["pg_dump", "--format=custom", f"--file={dump}", self.services.url], check=True)
        later = (await server.call("POST", "/assets", {"url": self.source.url(*origin.Stream(901, 5, "plain"))})).json
        self.copy_objects("restored")
        await server.call("DELETE", f"/assets/{later['token']}")
        subprocess.run(["createdb", f"--maintenance-db={self.services.url}", "restored"], check=True)
        restored = self.services.url.rsplit("/", 1)[0] + "/restored"
        subprocess.run(["pg_restore", "--exit-on-error", f"--dbname={restored}", dump], check=True)
        place = f"s3://{self.services.s3['bucket']}/restored/"
        subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-c", f"UPDATE media_place SET place = '{place}'", restored],
                       check=True)
        options = list(self.services.options)
        options[1], options[3] = restored, place
        return options

    async def keep_apart(self, node, copy):
        """The dump has the nodes of the store, of which one is alive: the copy must not pass requests on to it."""
        added = await copy.call("POST", "/assets", {"url": self.source.url(*origin.Stream(902, 5, "plain"))})
        if added.status not in (201, 202):
            return self.note(f"the restored store takes no asset: {added.status}")
        token = added.json["token"]
        if (await node.call("GET", f"/assets/{token}")).status != 404:
            self.note("the restored store has passed a request on to the original one")
        await copy.call("DELETE", f"/assets/{token}")

    async def run(self):
        await self.make()
        options = self.services.options
        await self.migrate("one", options)
        if self.command("one", "serve", "--listen", "127.0.0.1:0").wait(30) != 1:
            self.note("the old store is served though it was moved")
        (self.folder / "two").mkdir()
        shutil.copy(self.folder / "one/store.key", self.folder / "two/store.key")
        node = await self.serve("two", options)
        await self.compare(node, "the shared store")
        restored = await self.back_up(node)
        (self.folder / "three").mkdir()
        shutil.copy(self.folder / "one/store.key", self.folder / "three/store.key")
        copy = await self.serve("three", restored)
        await self.keep_apart(node, copy)
        await node.stop()
        node = copy
        extra = {asset["token"] for asset in (await node.call("GET", "/assets?limit=1000")).json["assets"]} - set(self.whole)
        for token in extra:
            self.note(f"{token} was added behind the dump")
        await self.compare(node, "the restored store")
        await node.stop()
        (self.folder / "four").mkdir()
        shutil.copy(self.folder / "one/store.key", self.folder / "four/store.key")
        await self.migrate("four", options, "--back")
        server = await self.serve("four")
        await self.compare(server, "the store that came back")
        await server.stop()

    def summary(self):
        return f"{self.kills} kills of migrations"


def parse():
    parser = options(__doc__)
    parser.add_argument("--assets", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=25, help="kills of each migration at most")
    return parser.parse_args()


arguments = parse()
asyncio.run(Moves.hold(arguments, origin.Origin(0, delay=0, seed=arguments.seed)))
