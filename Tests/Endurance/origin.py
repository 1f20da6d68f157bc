"""An origin of made-up streams that misbehaves: delays, errors, resets, truncation and stalls, by chance.

Every byte is known from the asset's number and the segment's, so that whoever gets one can say whether it is right. Every
third stream says that it is encrypted, and has a key.
"""
import asyncio
import hashlib
import random
import re

PACKET = 188
PATH = re.compile(r"^/(\d+)-(\d+)/(?:(media)\.m3u8|(\d+)\.ts|(key))$")
RANGE = re.compile(r"^bytes=(\d+)-(\d*)$")


def segment_size(asset, number):
    """Bytes of a segment: from one packet to some 400 kB; whole blocks of AES where there is a key."""
    seed = int.from_bytes(hashlib.sha256(f"{asset}/{number}".encode()).digest()[:4], "big")
    return PACKET * (4 + seed % 2200 // 4 * 4 if has_key(asset) else 1 + seed % 2200)


def has_key(asset):
    return asset % 3 == 0


def key(asset):
    return hashlib.sha256(f"the key of {asset}".encode()).digest()[:16]


def segment(asset, number):
    """A transport stream of null packets whose payload names it."""
    size = segment_size(asset, number)
    seed = hashlib.sha256(f"{asset}:{number}".encode()).digest()
    filler = (seed * 6)[:PACKET - 12]
    packets = size // PACKET
    return b"".join(b"\x47\x1f\xff\x10" + i.to_bytes(8, "big") + filler for i in range(packets))


def playlist(asset, segments):
    lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:2", "#EXT-X-PLAYLIST-TYPE:VOD"]
    lines += ['#EXT-X-KEY:METHOD=AES-128,URI="key"'] if has_key(asset) else []
    for number in range(segments):
        lines += ["#EXTINF:2.0,", f"{number}.ts"]
    return ("\n".join([*lines, "#EXT-X-ENDLIST"]) + "\n").encode()


class Origin:
    """`faults` is the share of media requests that go wrong; `delay` the longest wait before an answer, in seconds."""

    def __init__(self, faults=0.0, delay=0.0, seed=1):
        self.faults, self.delay, self.random = faults, delay, random.Random(seed)
        self.bytes, self.requests = {}, 0

    async def start(self):
        self.server = await asyncio.start_server(self.client, "127.0.0.1", 0, limit=1 << 16)
        self.port = self.server.sockets[0].getsockname()[1]

    def url(self, asset, segments):
        return f"http://127.0.0.1:{self.port}/{asset}-{segments}/media.m3u8"

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
        target = head[0].split(" ")[1].split("?")[0]
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if value}
        self.requests += 1
        found = PATH.match(target)
        if not found:
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return True
        asset, segments, is_playlist, number = int(found[1]), int(found[2]), found[3], found[4]
        if self.delay:
            await asyncio.sleep(self.random.random() * self.delay)
        if is_playlist:
            return await self.send(writer, playlist(asset, segments), {}, '"p"', None)
        if found[5]:
            return await self.send(writer, key(asset), {}, '"k"', None)
        if int(number) >= segments:
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return True
        body = segment(asset, int(number))
        fault = self.random.choice(FAULTS) if self.random.random() < self.faults else None
        return await self.send(writer, body, fields, f'"{asset}-{number}"', fault)

    async def send(self, writer, body, fields, tag, fault):
        if fault in ("500", "503"):
            retry = "Retry-After: 1\r\n" if fault == "503" else ""
            writer.write(f"HTTP/1.1 {fault} Fault\r\n{retry}Content-Length: 0\r\n\r\n".encode())
            await writer.drain()
            return True
        wanted = RANGE.match(fields.get("range", ""))
        first, status, extra = 0, "200 OK", ""
        if wanted and fields.get("if-range", tag) == tag and int(wanted[1]) < len(body) and fault != "no-range":
            first = int(wanted[1])
            last = min(int(wanted[2] or len(body) - 1), len(body) - 1)
            status, extra = "206 Partial Content", f"Content-Range: bytes {first}-{last}/{len(body)}\r\n"
            body = body[first:last + 1]
        writer.write((f"HTTP/1.1 {status}\r\nContent-Type: video/mp2t\r\nETag: {tag}\r\nAccept-Ranges: bytes\r\n{extra}"
                      f"Content-Length: {len(body)}\r\n\r\n").encode())
        if fault in ("reset", "stall"):
            writer.write(body[:len(body) // 2])
            await writer.drain()
            if fault == "stall":
                await asyncio.sleep(1)
            writer.transport.abort()
            return False
        writer.write(body)
        await writer.drain()
        return True


FAULTS = ["500", "503", "reset", "reset", "stall", "no-range"]
