#!/usr/bin/env python3
"""Fills the disk under a store that is served, and looks whether it can still be pruned, left and started again, and
whether a download waits for room and goes on with it.

It mounts a small file system of its own, which takes root's rights: without them it says that it did not try, and fails
where `CI` is set.
"""
import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import disk
import origin
import product

DEMO = product.ROOT / "Sources/OfflineServerCommands/Resources/demo"


class Full:
    def __init__(self, binary, folder, size=64 << 20):
        self.binary, self.wrong = binary, []
        self.disk = disk.Disk(folder, size)
        self.store = self.disk.path / "store"
        self.log = open(folder / "server.log", "wb")

    def command(self, *words):
        environment = {**os.environ, "OFFLINE_SERVER_STORE": str(self.store), "SWIFT_BACKTRACE": "enable=no"}
        return subprocess.run([self.binary, *words], env=environment, capture_output=True, text=True)

    def expect(self, *words):
        done = self.command(*words)
        if done.returncode != 0:
            self.wrong.append(f"{' '.join(words)}: status {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def fill(self):
        """Takes almost all at once, then writes until nothing can be written."""
        free = os.statvfs(self.disk.path)
        if (most := free.f_bavail * free.f_bsize - (8 << 20)) > 0:
            with open(self.disk.path / "fill-most", "ab") as file:
                os.posix_fallocate(file.fileno(), file.tell(), most)
        for size in (1 << 20, 4096, 1):
            with open(self.disk.path / f"fill-{size}", "wb", buffering=0) as file:
                try:
                    while file.write(bytes(size)):
                        pass
                except OSError:
                    pass

    async def run(self, leaves):
        """`leaves`: bytes that are free when the server starts, which then go as well; `None` for all."""
        tokens = [json.loads(self.expect("import", str(DEMO), "--json"))["token"] for _ in range(3)]
        if leaves is not None:
            self.fill()
            most = self.disk.path / f"fill-{1 << 20}"
            os.truncate(most, most.stat().st_size - leaves)
        server = product.Server(self.binary, self.store, self.log)
        if not await server.start():
            return self.wrong.append("the server does not start")
        self.fill()
        self.expect("pin", tokens[0])
        self.expect("remove", tokens[1])
        self.expect("playable", tokens[0])
        server.kill()
        await server.child.wait()
        self.fill()
        self.expect("remove", tokens[2])
        self.expect("playable", tokens[0])
        self.expect("verify", tokens[0])
        left = sorted(path.name for path in (self.store / "assets").iterdir())
        if left != [tokens[0]]:
            self.wrong.append(f"these folders are left: {left}")

    async def download(self):
        """Room runs out in the middle of a download, and comes back."""
        source = origin.Origin(delay=0.4)
        await source.start()
        server = product.Server(self.binary, self.store, self.log)
        if not await server.start():
            return self.wrong.append("the server does not start")
        number, segments = 1, 120
        reply = await server.call("POST", "/assets", {"url": source.url(number, segments)})
        token = reply.json["token"]
        await self.until(server, token, "begins", lambda asset: asset["progress"] > 0.1)
        self.fill()
        await self.until(server, token, "waits", lambda asset: (asset["state"], asset["reason"]) == ("queued", "disk"))
        for path in self.disk.path.glob("fill-*"):
            path.unlink()
        await self.until(server, token, "goes on and ends", lambda asset: asset["state"] == "complete")
        for index in range(segments):
            reply = await product.request(server.port, "GET", f"/assets/{token}/video/{index}.ts")
            if reply is None or reply.body != origin.Stream(number, segments, "plain").segment(index):
                self.wrong.append(f"segment {index} is not the origin's")
        await server.stop()
        await source.stop()

    async def until(self, server, token, what, holds, patience=60):
        """Waits until something holds of the asset."""
        deadline = time.monotonic() + patience
        while not holds(asset := (await server.call("GET", f"/assets/{token}")).json):
            if time.monotonic() > deadline:
                raise SystemExit(f"the download never {what}: {asset['state']}, {asset['reason']}, {asset['progress']}")
            await asyncio.sleep(0.1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    binary = product.program(parser.parse_args())
    for leaves in (None, 1 << 20, 0, "download"):
        folder = Path(tempfile.mkdtemp(prefix="offline-server-full-"))
        try:
            full = Full(binary, folder, 5 << 29) if leaves == "download" else Full(binary, folder)
        except disk.Impossible as reason:
            shutil.rmtree(folder)
            reason.leave("a full disk")
        try:
            asyncio.run(full.run(leaves) if leaves != "download" else full.download())
        finally:
            full.disk.abandon()
        if full.wrong:
            sys.exit("\n".join([f"WRONG ({leaves}):", *full.wrong, f"the log is in {folder}"]))
        shutil.rmtree(folder)
    print("a full disk: nothing wrong")


main()
