"""offline-server as the benchmarks see it: its commands and its URLs, nothing else."""
import json
import os
import subprocess
import urllib.parse
import urllib.request
from pathlib import Path

from origin import stop

BINARY = Path(os.environ.get("OFFLINE_SERVER", Path(__file__).resolve().parent.parent / ".build/release/offline-server"))


def environment(store):
    return {**os.environ, "OFFLINE_SERVER_STORE": str(store)}


def command(store, *arguments):
    """One command of the CLI with --json; its documents."""
    done = subprocess.run([str(BINARY), *map(str, arguments), "--json"], env=environment(store),
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"offline-server {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    try:
        return [json.loads(done.stdout)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in done.stdout.splitlines() if line.strip()]


def imported(store, folder):
    """Imports a plain HLS folder; its token."""
    return command(store, "import", folder)[-1]["token"]


class Server:
    """`serve` on a free port of a store, as a context."""

    def __init__(self, store, *options):
        self.store, self.options = store, options

    def __enter__(self):
        self.child = subprocess.Popen([str(BINARY), "serve", "--listen", "127.0.0.1:0", "--json", "--quiet",
                                       *self.options],
                                      env=environment(self.store), stdout=subprocess.PIPE, text=True)
        line = self.child.stdout.readline()
        if not line:
            raise RuntimeError(f"serve did not start: status {self.child.wait()}")
        self.port = json.loads(line)["port"]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_):
        stop(self.child)
        self.child.stdout.close()

    def get(self, path):
        with urllib.request.urlopen(self.url + path) as response:
            return response.read()

    def media_playlist(self, token):
        """The path of the first media playlist of an asset."""
        master = f"/assets/{token}/master.m3u8"
        lines = self.get(master).decode().splitlines()
        uris = [line for line in lines if line and not line.startswith("#")]
        if any(line.startswith("#EXTINF") for line in lines):
            return master
        return resolve(master, uris[0])

    def first_segment(self, token):
        playlist = self.media_playlist(token)
        uris = [line for line in self.get(playlist).decode().splitlines() if line and not line.startswith("#")]
        return resolve(playlist, uris[0])


def resolve(base, reference):
    joined = urllib.parse.urlsplit(urllib.parse.urljoin("http://host" + base, reference))
    return joined.path + ("?" + joined.query if joined.query else "")
