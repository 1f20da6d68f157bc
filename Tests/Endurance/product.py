"""The program under test: its process, its API, and what it uses of the machine."""
import asyncio
import json
import os
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Reply:
    """What came back: `whole` is false when the connection broke within the body."""

    def __init__(self, status, fields, body, whole):
        self.status, self.fields, self.body, self.whole = status, fields, body, whole

    @property
    def json(self):
        return json.loads(self.body or b"null")


async def request(port, method, path, fields=(), body=None, patience=60):
    """One HTTP request on a connection of its own, with bytes or JSON; `None` when nobody answers."""
    try:
        return await asyncio.wait_for(exchange(port, method, path, fields, body), patience)
    except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, IndexError, ValueError):
        return None


async def is_active_node(node):
    """Whether a node serves the shared store itself, and passes no requests on."""
    # Everybody may ask this of a node, which has no token yet at its very start.
    reply = await request(node.port, "GET", "/metrics", patience=2)
    if reply is not None and reply.status == 401:
        reply = await request(node.port, "GET", "/metrics", [node.credentials], patience=2)
    if reply is None or reply.status != 200 or b"offline_server_node_active 1\n" not in reply.body:
        return False
    reply = await request(node.port, "GET", "/readyz", [node.credentials], patience=2)
    return reply is not None and reply.status == 200


async def node_figures(node):
    """The metrics of a node by name and label."""
    reply = await request(node.port, "GET", "/metrics", [node.credentials])
    lines = [line.rsplit(" ", 1) for line in reply.body.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


async def exchange(port, method, path, fields, body):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        await ask(writer, port, method, path, ["Connection: close", *fields], body)
        return await answer(reader, method)
    finally:
        writer.close()


async def ask(writer, port, method, path, fields, body=None):
    """Sends a request on an open connection, with the address as `Host` unless a field names another one."""
    content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    host = [] if any(field.startswith("Host:") for field in fields) else [f"Host: 127.0.0.1:{port}"]
    lines = [f"{method} {path} HTTP/1.1", *host, *fields]
    if body is not None:
        lines += [f"Content-Type: application/{'octet-stream' if isinstance(body, bytes) else 'json'}"]
    lines += [f"Content-Length: {len(content)}"] if method not in ("GET", "HEAD") else []
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + content)
    await writer.drain()


async def head_of(reader):
    """The status and the fields of an answer."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    return int(head[0].split(" ")[1]), fields


async def answer(reader, method):
    status, fields = await head_of(reader)
    return await content_of(reader, method, status, fields)


async def content_of(reader, method, status, fields):
    """The body, as far as it came."""
    length = fields.get("content-length")
    try:
        if method == "HEAD" or status in (204, 304):
            return Reply(status, fields, b"", True)
        if length is not None:
            return Reply(status, fields, await reader.readexactly(int(length)), True)
        return await chunks(reader, status, fields)
    except asyncio.IncompleteReadError as error:
        return Reply(status, fields, error.partial, False)
    except ConnectionError:
        return Reply(status, fields, b"", False)


async def chunks(reader, status, fields):
    body = b""
    while True:
        size = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
        body += await reader.readexactly(size)
        await reader.readexactly(2)
        if size == 0:
            return Reply(status, fields, body, True)


class Server:
    """A process of `offline-server serve` on a store."""

    def __init__(self, program, store, log, environment=None, options=()):
        self.program, self.store, self.log, self.options = program, store, log, options
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **(environment or {})}

    async def start(self, patience=30):
        """Starts it and waits until it is ready; whether it got that far."""
        self.child = await asyncio.create_subprocess_exec(
            self.program, "serve", "--store", str(self.store), "--listen", "127.0.0.1:0", "--json", *self.options,
            stdout=asyncio.subprocess.PIPE, stderr=self.log, env=self.environment)
        try:
            line = await asyncio.wait_for(self.child.stdout.readline(), patience)
        except asyncio.TimeoutError:
            print(f"the server says nothing for {patience} s", file=sys.stderr)
            line = b""
        # A server that can't start prints a problem document in place of its port.
        self.port = json.loads(line).get("port") if line else None
        if self.port is None:
            self.kill()
            await self.child.wait()
        return self.port is not None

    def kill(self):
        if self.child.returncode is None:
            self.child.send_signal(signal.SIGKILL)

    async def stop(self, patience=30):
        """Ends it politely; its exit status, `None` when it had to be killed."""
        if self.child.returncode is None:
            self.child.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(self.child.wait(), patience)
            except asyncio.TimeoutError:
                self.kill()
                await self.child.wait()
                return None
        return self.child.returncode

    async def call(self, method, path, body=None, patience=60):
        return await request(self.port, method, f"/api/v1{path}", [self.credentials], body, patience)

    async def command(self, *words):
        """Runs a command of the program on the same store; its exit status."""
        child = await asyncio.create_subprocess_exec(
            self.program, *map(str, words), "--store", str(self.store), stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL)
        try:
            return await child.wait()
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()

    @property
    def credentials(self):
        """The field by which a request may do everything."""
        return f"Authorization: Bearer {(Path(self.store) / 'api-token').read_text().strip()}"

    def usage(self):
        """Kilobytes of memory of its own, mappings, open descriptors and threads. How much of the files that it maps, the
        program among them, is in memory depends on the machine.
        """
        proc = Path(f"/proc/{self.child.pid}")
        status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines() if ":" in line)
        mappings = (proc / "maps").read_text().count("\n")
        return int(status["RssAnon"].split()[0]), mappings, len(os.listdir(proc / "fd")), int(status["Threads"])


def program(arguments):
    """The binary: the release build, unless an argument names another."""
    path = Path(arguments.program or ROOT / ".build/release/offline-server")
    if not path.exists():
        sys.exit(f"there is no {path}; run: make build")
    return str(path)
