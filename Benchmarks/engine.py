"""The queue: entering 10,000 downloads, what they cost while they wait, and one command among them.

Bare SQLite takes, changes and deletes as many rows of the same size, and flushes each transaction as the queue does: the
limit of what is kept there. "Our limit" is no measurement, but what the queue may cost at most.
"""
import json
import shutil
import socket
import sqlite3
import time
import urllib.request

import product
from measure import Row, in_turn, machine_is_idle, run, status_field

ASSETS = 10_000
SINGLES = 500
LIMIT, SQLITE = "our limit", "bare SQLite, one transaction"
LIMITS = {"memory": 150, "pause": 0.05, "resume": 0.05, "call": 0.05, "pause all": 1, "resume all": 1, "pin all": 1,
          "remove all": 1, "remove again": 1}
# What, the unit, which is better, and the peers.
ROWS = {
    "enter": (f"download --input of {ASSETS:,} addresses", "assets/s", "higher", SQLITE),
    "single": ("POST /assets, one after the other", "assets/s", "higher", "bare SQLite, a transaction each"),
    "memory": (f"peak memory of the server with {ASSETS:,} queued", "MiB", "lower", LIMIT),
    "pause": (f"pause of one of {ASSETS:,}, with the program's start", "s", "lower", LIMIT),
    "resume": (f"resume of one of {ASSETS:,}, with the program's start", "s", "lower", LIMIT),
    "call": (f"pause of one of {ASSETS:,}, by the API", "s", "lower", LIMIT),
    "pause all": (f"pause --all of {ASSETS:,}", "s", "lower", SQLITE, LIMIT),
    "resume all": (f"resume --all of {ASSETS:,}", "s", "lower", SQLITE, LIMIT),
    "pin all": (f"pin --all of {ASSETS:,}", "s", "lower", LIMIT),
    "remove all": (f"remove --all of {ASSETS + SINGLES:,}", "s", "lower", SQLITE, LIMIT),
    "remove again": (f"removal of {ASSETS:,} that are gone, by the API", "s", "lower", LIMIT),
}


def silent_origin():
    """A port whose connections are taken and never answered: what waits, waits."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


def list_of_urls(options, base):
    path = options.work / "queue.txt"
    path.write_text("".join(f"{base}/show/{number}/master.m3u8?token={'x' * 40}\n" for number in range(ASSETS)))
    return path


def bare_sqlite(options):
    """The same of SQLite alone: as many rows of the same size, in durable transactions."""
    path = options.work / "bare.db"
    for file in options.work.glob("bare.db*"):
        file.unlink()
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE asset (token TEXT PRIMARY KEY, url TEXT, state TEXT, request BLOB) WITHOUT ROWID")

    def seconds(statement, rows=((),)):
        def transaction():
            with database:
                database.executemany(statement, rows)
        return timed(transaction)

    def row(number):
        return f"{number:026}", "x" * 90, b"x" * 400

    insert = "INSERT INTO asset VALUES (?, ?, 'queued', ?)"
    found = {"enter": ASSETS / seconds(insert, map(row, range(ASSETS))),
             "pause all": seconds("UPDATE asset SET state = 'paused'"),
             "resume all": seconds("UPDATE asset SET state = 'queued'"),
             "single": SINGLES / sum(seconds(insert, [row(ASSETS + number)]) for number in range(SINGLES)),
             "remove all": seconds("DELETE FROM asset WHERE true")}
    database.close()
    return found


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


def queue(options):
    """What everything takes over a new store, by the names of the rows."""
    store = options.work / "store-queue"
    shutil.rmtree(store, ignore_errors=True)
    listener, base = silent_origin()
    with listener, product.Server(store) as server:
        secret = (store / "api-token").read_text().strip()
        entered = command(options, store, "download", "--input", str(list_of_urls(options, base)), "--detach", "--json")
        tokens = [json.loads(line)["token"] for line in entered.output.splitlines()]
        token = tokens[ASSETS // 2]
        found = {"enter": ASSETS / entered.seconds, "memory": status_field(server.child.pid, "VmHWM")}
        for verb in ("pause", "resume"):
            found[verb] = command(options, store, verb, token).seconds
            found[f"{verb} all"] = command(options, store, verb, "--all").seconds
        found["call"] = timed(lambda: call(server, secret, "POST", f"assets/{token}/pause", {}))
        found["single"] = one_by_one(server, secret, base)
        found["pin all"] = command(options, store, "pin", "--all").seconds
        found["remove all"] = command(options, store, "remove", "--all").seconds
        found["remove again"] = timed(lambda: call(server, secret, "POST", "control", {"action": "remove", "tokens": tokens}))
    return found


def rows(options):
    made = [(name, Row("engine", what, unit, better, peer))
            for name, (what, unit, better, *peers) in ROWS.items() for peer in peers]
    for number in range(options.pairs):
        idle = machine_is_idle(options.patience)
        ours, bare = in_turn(number, lambda: queue(options), lambda: bare_sqlite(options))
        for name, row in made:
            row.add(ours[name], LIMITS[name] if row.peer == LIMIT else bare[name], idle)
    return [row for _, row in made]
