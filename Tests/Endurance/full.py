#!/usr/bin/env python3
"""Fills the disk under a store that is served, and looks whether it can still be pruned, left and started again.

It mounts a small file system of its own, which takes root's rights.
"""
import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import disk
import product

DEMO = product.ROOT / "Sources/OfflineServer/Resources/demo"


class Full:
    def __init__(self, binary, folder):
        self.binary, self.wrong = binary, []
        self.disk = disk.Disk(folder, 64 << 20)
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
        """Writes until nothing can be written."""
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
            os.truncate(self.disk.path / f"fill-{1 << 20}", (self.disk.path / f"fill-{1 << 20}").stat().st_size - leaves)
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    binary = product.program(parser.parse_args())
    for leaves in (None, 1 << 20, 0):
        folder = Path(tempfile.mkdtemp(prefix="offline-server-full-"))
        try:
            full = Full(binary, folder)
        except disk.Impossible as reason:
            print(f"no disk was filled: {reason}")
            return shutil.rmtree(folder)
        try:
            asyncio.run(full.run(leaves))
        finally:
            full.disk.abandon()
        if full.wrong:
            sys.exit("\n".join([f"WRONG, with {leaves} bytes free at first:", *full.wrong, f"the log is in {folder}"]))
        shutil.rmtree(folder)
    print("a full disk: nothing wrong")


main()
