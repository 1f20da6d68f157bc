"""An origin of made-up streams (`streams`) that misbehaves by chance: delays, errors, resets, truncation, stalls, and
addresses that expire until the playlists are read again.
"""
import asyncio
import random
import re
import time
from collections import Counter

import streams
from streams import Stream, key

TARGET = re.compile(r"^/(?:r\d+/)?\d+-\d+-[a-z]+/([\w.-]+)(?:\?s=(\d+))?$")
RANGE = re.compile(r"^bytes=(\d+)-(\d*)$")
FAULTS = ["500", "503", "reset", "reset", "stall", "no-range"]
PLAYLIST_FAULTS = ["500", "503", "reset"]


class Body:
    """What is asked for: its size, and its bytes as far as they are wanted."""

    def __init__(self, content=None, stream=None):
        self.content, self.stream = content, stream
        self.size = len(content) if stream is None else stream.file_size()

    def range(self, first, end):
        return self.content[first:end] if self.stream is None else self.stream.file_range(first, end)


class Origin:
    """`faults` is the share of media requests that go wrong, `playlist_faults` that of playlists and keys, `expiry`
    that of media requests by which the addresses of a stream expire; `delay` the longest wait before an answer, in
    seconds.
    """

    def __init__(self, faults=0.0, delay=0.0, seed=1, playlist_faults=0.0, expiry=0.0):
        self.faults, self.delay, self.random = faults, delay, random.Random(seed)
        self.playlist_faults, self.expiry = playlist_faults, expiry
        self.requests, self.signatures, self.births = 0, Counter(), {}
        self.gate, self.held = None, 0
        # How often each file was sent to its end.
        self.sent = Counter()

    def behave(self):
        """No faults any more."""
        self.faults = self.playlist_faults = self.expiry = 0

    def hold(self):
        """From now on media stop in their middle, until the event that is returned is set; `held` counts them."""
        self.gate, self.held = asyncio.Event(), 0
        return self.gate

    async def start(self):
        self.server = await asyncio.start_server(self.client, "127.0.0.1", 0, limit=1 << 16)
        self.port = self.server.sockets[0].getsockname()[1]

    def url(self, asset, segments, shape="plain", alias=None):
        """The address of a stream; any number as `alias` makes another one of the same."""
        prefix = "" if alias is None else f"r{alias}/"
        return f"http://127.0.0.1:{self.port}/{prefix}{Stream(asset, segments, shape).name}/index.m3u8"

    async def stop(self):
        self.server.close()

    async def client(self, reader, writer):
        try:
            while await self.exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def exchange(self, reader, writer):
        """One request; whether the connection lives on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        target = head[0].split(" ")[1]
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if value}
        self.requests += 1
        stream, found = Stream.named(target), TARGET.match(target)
        if self.delay:
            await asyncio.sleep(self.random.random() * self.delay)
        if not stream or not found:
            return self.refuse(writer, "404 Not Found")
        file, signature = found[1], found[2]
        if file.endswith(".m3u8") or file == "key":
            fault = self.random.choice(PLAYLIST_FAULTS) if self.random.random() < self.playlist_faults else None
            content = key(stream.number) if file == "key" else self.playlist(stream, file)
            return await self.send(writer, Body(content), {}, None, fault)
        if stream.mends and self.random.random() < self.expiry:
            self.signatures[stream.number] += 1
        if int(signature or 0) < self.signatures[stream.number]:
            return self.refuse(writer, "403 Forbidden")
        body = self.media(stream, file)
        if body is None:
            return self.refuse(writer, "404 Not Found")
        fault = self.random.choice(FAULTS) if self.random.random() < self.faults else None
        return await self.send(writer, body, fields, f'"{stream.number}-{file}"', fault)

    def refuse(self, writer, status):
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())
        return True

    def listed(self, stream):
        """How many segments of a stream there are by now."""
        if stream.shape != "live":
            return stream.segments
        birth = self.births.setdefault(stream.number, time.monotonic())
        return min(stream.segments, 3 + int(time.monotonic() - birth))

    def playlist(self, stream, file):
        signature = self.signatures[stream.number]
        if stream.shape != "rich":
            return streams.playlist(stream, self.listed(stream), signature)
        if file == "index.m3u8":
            return streams.master()
        name = file.removesuffix(".m3u8")
        return streams.ranges(stream, signature) if name == "video" else streams.track(stream, name, signature)

    def media(self, stream, file):
        """The body of a file; `None` when there is no such file."""
        if stream.shape == "rich":
            track, _, unit = file.partition("-")
            if file == "video.mp4":
                return Body(stream=stream)
            language, _, unit = unit.partition("-")
            content = stream.expected(f"{track}-{language}", unit)
            return content and Body(content)
        number = file.removesuffix(".ts")
        if not number.isdigit() or int(number) >= self.listed(stream):
            return None
        return Body(stream.segment(int(number)))

    async def send(self, writer, body, fields, tag, fault):
        if fault in ("500", "503"):
            retry = "Retry-After: 1\r\n" if fault == "503" else ""
            writer.write(f"HTTP/1.1 {fault} Fault\r\n{retry}Content-Length: 0\r\n\r\n".encode())
            await writer.drain()
            return True
        first, end, status, extra = 0, body.size, "200 OK", ""
        wanted = RANGE.match(fields.get("range", ""))
        if wanted and fields.get("if-range", tag) == tag and int(wanted[1]) < body.size and fault != "no-range":
            first, end = int(wanted[1]), min(int(wanted[2] or body.size - 1), body.size - 1) + 1
            status, extra = "206 Partial Content", f"Content-Range: bytes {first}-{end - 1}/{body.size}\r\n"
        # Only what has a name of its own version may be gone on with.
        extra += f"ETag: {tag}\r\n" if tag else ""
        content = body.range(first, end)
        writer.write((f"HTTP/1.1 {status}\r\nContent-Type: application/octet-stream\r\nAccept-Ranges: bytes\r\n{extra}"
                      f"Content-Length: {len(content)}\r\n\r\n").encode())
        if fault in ("reset", "stall"):
            writer.write(content[:len(content) // 2])
            await writer.drain()
            if fault == "stall":
                await asyncio.sleep(1)
            writer.transport.abort()
            return False
        if self.gate and tag:
            sent = len(content) // 2
            writer.write(content[:sent])
            self.held += 1
            await self.gate.wait()
            content = content[sent:]
        writer.write(content)
        await writer.drain()
        if tag and end == body.size:
            self.sent[tag] += 1
        return True
