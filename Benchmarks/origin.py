"""The origin and the rival: nginx from a folder of its own, with sendfile and open_file_cache."""
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CONFIGURATION = """
{user}
worker_processes {workers}; pid {prefix}/nginx.pid; error_log {prefix}/error.log warn; daemon off;
events {{ worker_connections 4096; }}
http {{
  types {{ application/vnd.apple.mpegurl m3u8; video/mp2t ts; text/html html;
    text/javascript js; }}
  default_type application/octet-stream;
  sendfile on; tcp_nopush on; access_log off; keepalive_requests 10000000; keepalive_timeout 300;
  open_file_cache max=10000 inactive=60s; open_file_cache_valid 60s;
  client_body_temp_path {prefix}/tmp; proxy_temp_path {prefix}/tmp; fastcgi_temp_path {prefix}/tmp;
  uwsgi_temp_path {prefix}/tmp; scgi_temp_path {prefix}/tmp;
  server {{ listen 127.0.0.1:{port} backlog=1024; root "{root}"; {headers} }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port, child):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if child.poll() is not None:
            raise RuntimeError(f"the server on port {port} ended with status {child.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.0005)
    raise RuntimeError(f"nothing listens on port {port}")


def stop(child):
    """Ends a child that was started here: politely, then not."""
    if child.poll() is None:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


class Nginx:
    """nginx serving `root` on a free port, as a context; with `shared`, pages of other origins may read its
    files, and keep none."""

    def __init__(self, root, prefix, workers, shared=False):
        self.root, self.prefix, self.port, self.workers = Path(root), Path(prefix), free_port(), workers
        (self.prefix / "tmp").mkdir(parents=True, exist_ok=True)
        user = f"user {getpass.getuser()};" if os.getuid() == 0 else ""
        (self.prefix / "nginx.conf").write_text(CONFIGURATION.format(
            user=user, workers=workers, prefix=self.prefix, port=self.port, root=self.root,
            headers="add_header Access-Control-Allow-Origin *; add_header Cache-Control no-store;" if shared else ""))

    def __enter__(self):
        binary = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        self.child = subprocess.Popen(
            [binary, "-p", str(self.prefix), "-c", str(self.prefix / "nginx.conf"),
             "-e", str(self.prefix / "error.log")])
        await_port(self.port, self.child)
        # The master listens before it has workers.
        while self.child.poll() is None and len(self.pids()) <= self.workers:
            time.sleep(0.0005)
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_):
        stop(self.child)

    def pids(self):
        """The master and its workers."""
        children = Path(f"/proc/{self.child.pid}/task/{self.child.pid}/children").read_text().split()
        return [self.child.pid] + [int(pid) for pid in children]


class Link:
    """`link.py` in front of an origin's port, as a context; without delay and rate the origin itself."""

    def __init__(self, origin, delay=0.0, rate=0.0):
        self.origin, self.delay, self.rate, self.child = origin, delay, rate, None

    def __enter__(self):
        self.url = self.origin.url
        if self.delay or self.rate:
            self.child = subprocess.Popen(
                [sys.executable, str(HERE / "link.py"), "--to", str(self.origin.port),
                 "--delay", str(self.delay), "--rate", str(self.rate)], stdout=subprocess.PIPE, text=True)
            self.url = "http://127.0.0.1:" + self.child.stdout.readline().split()[1]
        return self

    def __exit__(self, *_):
        if self.child:
            stop(self.child)
