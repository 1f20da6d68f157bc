"""The queue: entering 10,000 downloads, what they cost while they wait, and one command among them."""
import json
import shutil
import socket
import sqlite3
import time
import urllib.request

import product
from measure import Row, machine_is_idle, run, status_field

ASSETS = 10_000
MEMORY_LIMIT = 150  # MiB
COMMAND_LIMIT = 0.05  # seconds
SINGLES = 500


def silent_origin():
    """A port whose connections are taken and never answered: what waits, waits."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


def list_of_urls(options, base):
    path = options.work / "queue.txt"
    path.write_text("".join(f"{base}/show/{number}/master.m3u8?token={'x' * 40}\n" for number in range(ASSETS)))
    return path


def bare_sqlite(options):
    """Seconds in which SQLite alone takes as many rows of the same size, in one durable transaction."""
    path = options.work / "bare.db"
    for file in options.work.glob("bare.db*"):
        file.unlink()
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE asset (token TEXT PRIMARY KEY, url TEXT, state TEXT, request BLOB) WITHOUT ROWID")
    started = time.monotonic()
    with database:
        database.executemany("INSERT INTO asset VALUES (?, ?, 'queued', ?)",
                             ((f"{number:026}", "x" * 90, b"x" * 400) for number in range(ASSETS)))
    seconds = time.monotonic() - started
    database.close()
    return seconds


def call(server, token, method, path, body=None):
    request = urllib.request.Request(
        f"{server.url}/api/v1/{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as response:
        return response.read()


def command(options, store, *arguments):
    done = run([str(product.BINARY), *arguments], options.limit, product.environment(store), options.work)
    if done.status:
        raise RuntimeError(f"offline-server {' '.join(arguments)}: {done.errors[-300:]}")
    return done


def timed(body):
    started = time.monotonic()
    body()
    return time.monotonic() - started


def one_by_one(server, secret, base):
    """Requests a second that enter one asset each, durably, one after the other."""
    seconds = timed(lambda: [call(server, secret, "POST", "assets", {"url": f"{base}/one/{number}.m3u8"})
                             for number in range(SINGLES)])
    return SINGLES / seconds


def measured(options, rows):
    """One round over a new store."""
    store = options.work / "store-queue"
    shutil.rmtree(store, ignore_errors=True)
    idle = machine_is_idle(options.patience)
    listener, base = silent_origin()
    with listener, product.Server(store) as server:
        secret = (store / "api-token").read_text().strip()
        entered = command(options, store, "download", "--input", str(list_of_urls(options, base)), "--detach", "--json")
        token = json.loads(entered.output.splitlines()[ASSETS // 2])["token"]
        rows["enter"].add(ASSETS / entered.seconds, ASSETS / bare_sqlite(options), idle)
        rows["memory"].add(status_field(server.child.pid, "VmHWM"), MEMORY_LIMIT, idle)
        for verb in ("pause", "resume"):
            rows[verb].add(command(options, store, verb, token).seconds, COMMAND_LIMIT, idle)
            rows[f"{verb} all"].add(command(options, store, verb, "--all").seconds, 1, idle)
        rows["call"].add(timed(lambda: call(server, secret, "POST", f"assets/{token}/pause", {})), COMMAND_LIMIT, idle)
        rows["single"].add(one_by_one(server, secret, base), None, idle)
        rows["remove all"].add(command(options, store, "remove", "--all").seconds, 1, idle)


def rows(options):
    limit = "the limit"
    made = {
        "enter": Row("engine", f"download --input of {ASSETS:,} addresses", "assets/s", "higher",
                     "bare SQLite, one transaction"),
        "single": Row("engine", "POST /assets, one after the other", "assets/s", "higher", "-"),
        "memory": Row("engine", f"peak memory of the server with {ASSETS:,} queued", "MiB", "lower", limit),
        "pause": Row("engine", f"pause of one of {ASSETS:,}, with the program's start", "s", "lower", limit),
        "resume": Row("engine", f"resume of one of {ASSETS:,}, with the program's start", "s", "lower", limit),
        "call": Row("engine", f"pause of one of {ASSETS:,}, by the API", "s", "lower", limit),
        "pause all": Row("engine", f"pause --all of {ASSETS:,}", "s", "lower", limit),
        "resume all": Row("engine", f"resume --all of {ASSETS:,}", "s", "lower", limit),
        "remove all": Row("engine", f"remove --all of {ASSETS + SINGLES:,}", "s", "lower", limit),
    }
    for _ in range(options.pairs):
        measured(options, made)
    return made.values()
