#!/usr/bin/env python3
"""Kills exports at random moments and looks what is left: a file has its name only when it is whole and right.

In half of the rounds the command is killed, in the others the server that makes the file for it. After each kill there is
no file under the target's name, or the right one, and beside it nothing but hidden parts. Some kills later the same command
goes on to the end: then the file is the right one, byte for byte, and nothing else is left.
"""
import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import product

KINDS = ["mp4", "m4a", "ts", "mkv"]


class Exports:
    def __init__(self, folder, arguments, log):
        self.folder, self.arguments, self.log = folder, arguments, log
        self.store, self.target = folder / "store", folder / "out"
        self.random = random.Random(arguments.seed)
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
        self.counts, self.wrong = Counter(), []
        self.target.mkdir()

    def note(self, sentence):
        self.wrong.append(sentence)
        print("WRONG:", sentence, file=sys.stderr)

    def command(self, *words):
        return [self.arguments.program, *words[:1], "--store", str(self.store), "--json", *words[1:]]

    def film(self):
        """A stream of some megabytes with subtitles, imported; its token."""
        source = self.folder / "source"
        source.mkdir()
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=20", "-f", "lavfi",
             "-i", "sine=r=48000:d=20", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "8", "-g", "50", "-c:a", "aac",
             "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "-hls_segment_filename", source / "%d.ts",
             source / "index.m3u8"], check=True)
        (source / "s.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:03.000\nNothing is lost.\n")
        (source / "s.m3u8").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:20\n#EXTINF:20,\ns.vtt\n#EXT-X-ENDLIST\n")
        (source / "master.m3u8").write_text(
            '#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="s.m3u8"\n'
            '#EXT-X-STREAM-INF:BANDWIDTH=9000000,SUBTITLES="s"\nindex.m3u8\n')
        done = subprocess.run(
            self.command("import", str(source)), check=True, stdout=subprocess.PIPE, env=self.environment)
        return json.loads(done.stdout.splitlines()[-1])["token"]

    def digest(self, kind):
        """What tells a file from others; Matroska has another identifier each time, so that its packets are compared."""
        path = self.target / f"film.{kind}"
        if kind != "mkv":
            return hashlib.sha256(path.read_bytes()).hexdigest()
        return subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0", "-c", "copy", "-f", "streamhash", "-"],
            stdout=subprocess.PIPE, check=True).stdout

    async def export(self, kind):
        return await asyncio.create_subprocess_exec(
            *self.command("export", self.token, str(self.target / f"film.{kind}")), stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL, env=self.environment, start_new_session=True)

    async def run(self):
        self.token = self.film()
        self.expected, self.seconds = {}, {}
        for kind in KINDS:
            begun = time.monotonic()
            if await (await self.export(kind)).wait() != 0:
                return self.note(f"film.{kind} could not be exported")
            self.seconds[kind] = time.monotonic() - begun
            self.expected[kind] = self.digest(kind)
            self.empty(kind, "the first export")
        for number in range(self.arguments.rounds):
            kind = self.random.choice(KINDS)
            if number % 2:
                await self.kill_server(kind)
            else:
                await self.kill_command(kind)
            self.look(kind, number)
            if self.random.random() < 0.25:
                await self.finish(kind, number)
        for kind in KINDS:
            await self.finish(kind, "the end")

    async def kill_command(self, kind):
        child = await self.export(kind)
        try:
            await asyncio.wait_for(child.wait(), self.random.uniform(0, self.seconds[kind] * 1.1))
            self.counts["ended before"] += 1
        except asyncio.TimeoutError:
            # With the ffmpeg that it has started; it may have ended in this moment.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            await child.wait()
            self.counts["commands killed"] += 1

    async def kill_server(self, kind):
        server = product.Server(self.arguments.program, self.store, self.log)
        if not await server.start():
            return self.note("a server did not start after a kill")
        child = await self.export(kind)
        await asyncio.sleep(self.random.uniform(0, self.seconds[kind]))
        server.kill()
        await server.child.wait()
        self.counts["servers killed"] += 1
        try:
            status = await asyncio.wait_for(child.wait(), 60)
        except asyncio.TimeoutError:
            os.killpg(child.pid, signal.SIGKILL)
            return self.note(f"the export of film.{kind} does not end without its server")
        if status == 0 and not (self.target / f"film.{kind}").exists():
            self.note(f"an export of film.{kind} that said that it is done left no file")

    def look(self, kind, number):
        """Nothing half-made has the name of a file."""
        for path in self.target.iterdir():
            if path.name.startswith("."):
                self.counts["parts left"] += 1
            elif path.suffix[1:] not in KINDS or path.stem != "film":
                self.note(f"round {number}: {path.name} was left")
            elif self.digest(path.suffix[1:]) != self.expected[path.suffix[1:]]:
                self.note(f"round {number}: {path.name} is not the right one")
        (self.target / f"film.{kind}").unlink(missing_ok=True)

    async def finish(self, kind, number):
        """The same command goes on to the end, and leaves the file alone."""
        if await (await self.export(kind)).wait() != 0:
            return self.note(f"round {number}: film.{kind} could not be finished")
        if self.digest(kind) != self.expected[kind]:
            self.note(f"round {number}: film.{kind} is not the right one")
        self.counts["finished"] += 1
        self.empty(kind, f"round {number}")

    def empty(self, kind, when):
        (self.target / f"film.{kind}").unlink(missing_ok=True)
        # Those of other kinds belong to exports that are not finished yet.
        for path in self.target.glob(f".film.{kind}*"):
            self.note(f"{when}: {path.name} was left beside a finished film.{kind}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(product.ROOT / ".build/release/offline-server"))
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.program = str(Path(arguments.program).resolve())
    folder = Path(tempfile.mkdtemp(prefix="exports-"))
    try:
        with open(folder / "log", "w") as log:
            exports = Exports(folder, arguments, log)
            asyncio.run(exports.run())
        print(f"{arguments.rounds} rounds: " + ", ".join(f"{count} {name}" for name, count in exports.counts.items()))
        if exports.wrong:
            sys.exit(f"{len(exports.wrong)} things are wrong")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
