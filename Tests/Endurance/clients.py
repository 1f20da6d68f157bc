"""Clients of all sorts: each gets a file in its own way, and says what was wrong with what it got."""
import asyncio
import random
import re

import product

RANGE = re.compile(r"^bytes (\d+)-(\d+)/(\d+|\*)$")
FOR_GOOD = "public, max-age=31536000, immutable"


class Connection:
    """A connection that stays open between requests."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def request(self, method, path, fields=(), patience=60):
        """One request; `None` when nobody answers, with a connection that was closed meanwhile tried once more."""
        for is_last in (self.reader is None, True):
            try:
                return await asyncio.wait_for(self.exchange(method, path, fields), patience)
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, IndexError, ValueError):
                self.close()
                if is_last:
                    return None

    async def exchange(self, method, path, fields):
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        await product.ask(self.writer, self.port, method, path, fields)
        reply = await product.answer(self.reader, method)
        if not reply.whole or reply.fields.get("connection", "").lower() == "close":
            self.close()
        return reply

    def close(self):
        if self.writer:
            self.writer.close()
        self.reader = self.writer = None


async def slowly(port, path, wanted, pause=0.05, piece=1 << 14):
    """Takes a body in small pieces; what is wrong with it, or `None`. One that breaks off is none of this one's."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        await product.ask(writer, port, "GET", path, ["Connection: close"])
        status, _ = await product.head_of(reader)
        body = b""
        while status == 200 and (got := await asyncio.wait_for(reader.read(piece), 60)):
            body += got
            await asyncio.sleep(pause)
        return None if wanted.startswith(body) or status != 200 else f"{len(body)} wrong bytes, slowly"
    except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
        return None
    finally:
        writer.close()


async def briefly(port, path):
    """Asks, perhaps begins to read, and is gone."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await product.ask(writer, port, "GET", path, [])
        if random.random() < 0.5:
            await asyncio.wait_for(reader.read(4096), 10)
        writer.transport.abort()
    except (OSError, asyncio.TimeoutError):
        pass


def wish(chance, size):
    """A request for all of a file or a part of it: (method, fields, the first and last byte that it is about)."""
    kind = chance.choices(["all", "from", "part", "suffix", "head", "beyond"], [50, 15, 15, 10, 8, 2])[0]
    first = chance.randrange(size)
    if kind == "from":
        return "GET", [f"Range: bytes={first}-"], (first, size - 1)
    if kind == "part":
        last = chance.randrange(first, size + 10)
        return "GET", [f"Range: bytes={first}-{last}"], (first, min(last, size - 1))
    if kind == "suffix":
        return "GET", [f"Range: bytes=-{first + 1}"], (size - first - 1, size - 1)
    if kind == "beyond":
        return "GET", [f"Range: bytes={size}-"], None
    return "HEAD" if kind == "head" else "GET", [], (0, size - 1)


def judged(method, part, reply, wanted):
    """What is wrong with an answer of status 200, 206 or 416; `None` when nothing is."""
    if reply.status == 416:
        return None if part is None else f"416 for bytes {part}"
    if method == "HEAD":
        length = reply.fields.get("content-length")
        return None if length in (None, str(len(wanted))) else f"HEAD says {length} bytes of {len(wanted)}"
    if reply.status == 200:
        return None if reply.body == wanted else f"{len(reply.body)} bytes are not the {len(wanted)} wanted"
    told = RANGE.match(reply.fields.get("content-range", ""))
    if not told or part is None or (int(told[1]), int(told[2])) != part or told[3] not in ("*", str(len(wanted))):
        return f"{reply.fields.get('content-range')} for bytes {part} of {len(wanted)}"
    return None if reply.body == wanted[part[0]:part[1] + 1] else f"{len(reply.body)} wrong bytes of {part}"


async def conditions(connection, path):
    """What is wrong with the conditional requests for a file that is stored; `None` when nothing is."""
    reply = await connection.request("HEAD", path)
    tag = reply and reply.status == 200 and reply.fields.get("etag")
    if not tag:
        return None
    if reply.fields.get("cache-control") != FOR_GOOD:
        return f"Cache-Control of a stored segment: {reply.fields.get('cache-control')}"
    for fields, status in (([f"If-None-Match: {tag}"], 304), (['If-Match: "x"'], 412),
                           ([f"If-Range: {tag}", "Range: bytes=0-0"], 206),
                           (['If-Range: "x"', "Range: bytes=0-0"], 200)):
        reply = await connection.request("GET", path, fields)
        if reply and reply.whole and reply.status not in (status, 404, 503):
            return f"{fields}: {reply.status}, not {status}"
    return None
