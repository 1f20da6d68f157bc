#!/usr/bin/env python3
"""A network between a client and an origin: a TCP relay that delays and caps.

  link.py --to PORT [--delay SECONDS] [--rate BITS_PER_SECOND]      prints "listening PORT"

Each direction is delayed by half the round trip; the handshake's round trip, which a relay cannot delay, is paid by
the first bytes of a connection. The cap is shared by all connections, like a line. No loss and no slow start.
"""
import argparse
import asyncio

CHUNK = 1 << 17


class Line:
    """The shared capacity: `slot` says when a chunk has left the line."""

    def __init__(self, rate):
        self.rate, self.free = rate, 0.0

    def slot(self, now, size):
        if not self.rate:
            return now
        self.free = max(self.free, now) + size * 8 / self.rate
        return self.free


async def relay(reader, writer, line, delay, handshake):
    """Moves one direction: read at once, write when the chunk would have arrived."""
    loop = asyncio.get_running_loop()
    chunk = 1 << 14 if line.rate else CHUNK
    waiting = asyncio.Queue(4 if line.rate else 64)

    async def take():
        earliest = loop.time() + handshake
        while data := await reader.read(chunk):
            due = line.slot(loop.time(), len(data)) + delay
            await waiting.put((max(due, earliest + delay), data))
        await waiting.put(None)

    async def deliver():
        while item := await waiting.get():
            due, data = item
            if (pause := due - loop.time()) > 0:
                await asyncio.sleep(pause)
            writer.write(data)
            await writer.drain()

    try:
        async with asyncio.TaskGroup() as both:
            both.create_task(take())
            both.create_task(deliver())
        if writer.can_write_eof():
            writer.write_eof()
    except* OSError:  # one side is gone: so is what was on the way
        writer.close()


async def serve(port, delay, rate):
    up, down = Line(rate), Line(rate)

    async def connected(client_reader, client_writer):
        try:
            origin_reader, origin_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            client_writer.close()
            return
        await asyncio.gather(
            relay(client_reader, origin_writer, up, delay / 2, delay),
            relay(origin_reader, client_writer, down, delay / 2, 0))
        for writer in (client_writer, origin_writer):
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 18, backlog=1024)
    print("listening", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=int, required=True, help="the origin's port on loopback")
    parser.add_argument("--delay", type=float, default=0, help="round trip in seconds")
    parser.add_argument("--rate", type=float, default=0, help="bits per second, each direction")
    arguments = parser.parse_args()
    asyncio.run(serve(arguments.to, arguments.delay, arguments.rate))


if __name__ == "__main__":
    main()
