#!/usr/bin/env python3
"""An origin for the end-to-end tests: files with byte ranges, over HTTP/1.1, independent of the product.

  origin.py ROOT [--hold NAME --until-gone FILE]      prints its port, then one line a report

Queries are ignored, types are deliberately vague. GET /report?... prints the query: how a page in a browser says
what it saw. --hold: files of that name are answered only when FILE is gone, so that a test decides when a download
can end. SIGTERM ends it with status 0.
"""
import argparse
import http.server
import os
import re
import signal
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/report":
            print(url.query, flush=True)
            return self.answer(204, b"")
        file = self.server.root / unquote(url.path).lstrip("/")
        while file.name == self.server.held and self.server.gate.exists():
            time.sleep(0.02)
        if not file.is_file():
            return self.answer(404, b"no such file\n")
        body = file.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not wanted:
            return self.answer(200, body, file)
        first = int(wanted[1])
        last = min(int(wanted[2] or len(body) - 1), len(body) - 1)
        if first > last:
            return self.answer(416, b"", extra={"Content-Range": f"bytes */{len(body)}"})
        self.answer(206, body[first:last + 1], file, {"Content-Range": f"bytes {first}-{last}/{len(body)}"})

    do_HEAD = do_GET

    def answer(self, status, body, file=None, extra=None):
        self.send_response(status)
        html = file is not None and file.suffix == ".html"
        self.send_header("Content-Type", "text/html" if html else "application/octet-stream")
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        if file is not None:
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("ETag", f'"{file.stat().st_mtime_ns:x}-{file.stat().st_size:x}"')
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # a client that leaves is no news


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--hold", help="the name of a file")
    parser.add_argument("--until-gone", type=Path, default=Path("/nonexistent"))
    arguments = parser.parse_args()
    server = Server(("127.0.0.1", 0), Handler)
    server.root, server.held, server.gate = arguments.root, arguments.hold, arguments.until_gone
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
