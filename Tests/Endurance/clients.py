"""Clients of all sorts: each gets a file in its own way, and says what was wrong with what it got."""
import asyncio
import contextlib
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


async def slowly(port, path, pause=0.05, piece=1 << 14, patience=60):
    """A file in small pieces; `None` when nobody answers."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return None
    try:
        await product.ask(writer, port, "GET", path, ["Connection: close"])
        status, fields = await asyncio.wait_for(product.head_of(reader), patience)
        taken = asyncio.StreamReader()
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            while got := await asyncio.wait_for(reader.read(piece), patience):
                taken.feed_data(got)
                await asyncio.sleep(pause)
        taken.feed_eof()
        return await product.content_of(taken, "GET", status, fields)
    except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, IndexError, ValueError):
        return None
    finally:
        writer.close()


async def briefly(port, path, chance):
    """Asks, perhaps begins to read, and is gone."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await product.ask(writer, port, "GET", path, [])
        if chance.random() < 0.5:
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
    """What is wrong with an answer of status 200, 206 or 416, as far as it came; `None` when nothing is."""
    if reply.status == 416:
        return None if part is None else f"416 for bytes {part}"
    content = wanted
    if reply.status == 206:
        told = RANGE.match(reply.fields.get("content-range", ""))
        if not told or part is None or (int(told[1]), int(told[2])) != part or told[3] not in ("*", str(len(wanted))):
            return f"{reply.fields.get('content-range')} for bytes {part} of {len(wanted)}"
        content = wanted[part[0]:part[1] + 1]
    length = reply.fields.get("content-length")
    if length not in (None, str(len(content))):
        return f"{method} says {length} bytes of {len(content)}"
    if method == "HEAD":
        return None
    # Of chunks that break off, what came before is not kept.
    is_right = reply.body == content if reply.whole else length is None or content.startswith(reply.body)
    return None if is_right else f"{len(reply.body)} bytes are not the {len(content)} wanted"


async def conditions(connection, path, wanted, is_there):
    """What is wrong with the conditional requests for a file that is stored, as long as `is_there` says so; `None` when
    nothing is.
    """
    reply = await connection.request("HEAD", path)
    if not is_there():
        return None
    if reply is None or reply.status != 200 or "etag" not in reply.fields:
        return f"HEAD of a stored segment: {reply and (reply.status, reply.fields)}"
    if problem := judged("HEAD", None, reply, wanted):
        return problem
    if reply.fields.get("cache-control") != FOR_GOOD:
        return f"Cache-Control of a stored segment: {reply.fields.get('cache-control')}"
    tag = reply.fields["etag"]
    for fields, status in (([f"If-None-Match: {tag}"], 304), (['If-Match: "x"'], 412),
                           ([f"If-Range: {tag}", "Range: bytes=0-0"], 206),
                           (['If-Range: "x"', "Range: bytes=0-0"], 200)):
        reply = await connection.request("GET", path, fields)
        if not is_there():
            return None
        if reply is None or not reply.whole or reply.status != status:
            return f"{fields}: {reply and (reply.status, reply.whole)}, not {status}"
        if status in (200, 206) and (problem := judged("GET", (0, 0), reply, wanted)):
            return f"{fields}: {problem}"
    return None
