"""A store of 10,000 assets, an asset of 2,000 segments, and a playlist of 100,000: what stays quick.

"sqlite3 in Python" is a script that reads the same rows of the catalog and prints them as JSON; ours looks at the files,
too. "find" tells the size of each segment, and not whether it is the right one. nginx serves the same playlist from a
file. Commands and scripts are measured with their start. "Our goal" is no measurement.
"""
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.request

import assets
import product
from downloading import VENV
from measure import Row, compare, run
from origin import Nginx

ASSETS, STARTS = 10_000, 20
GOAL = 100  # MB/s
READER = """
import json, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.row_factory = lambda cursor, row: dict(zip((column[0] for column in cursor.description), row))
assets = database.execute("SELECT * FROM asset " + sys.argv[2]).fetchall()
renditions = {}
for row in database.execute(
        f"SELECT * FROM rendition WHERE asset IN (SELECT token FROM asset {sys.argv[2]}) ORDER BY asset, position"):
    renditions.setdefault(row["asset"], []).append(row)
for asset in assets:
    print(json.dumps(asset | {"renditions": renditions.get(asset["token"], [])}, default=repr))
assert assets
"""
PARSER = """
import sys
from streamlink.stream.hls import parse_m3u8
assert len(parse_m3u8(open(sys.argv[1]).read()).segments) == int(sys.argv[2])
"""


def children_of(database, table):
    """(table, column, referenced column) of every foreign key that points at `table`."""
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for name in names:
        for _, _, parent, column, to, *_ in database.execute(f"PRAGMA foreign_key_list({name})"):
            if parent == table:
                yield name, column, to


def columns_of(database, table):
    """The names of a table's columns, and the one that is its integer primary key, if any."""
    info = database.execute(f"PRAGMA table_info({table})").fetchall()
    keys = [row for row in info if row[5]]
    serial = keys[0][1] if len(keys) == 1 and keys[0][2].upper() == "INTEGER" else None
    return [row[1] for row in info], serial


def clone(database, table, key_column, old, new):
    """Copies the rows of `table` whose key is `old` to `new`, and all that refers to them."""
    names, serial = columns_of(database, table)
    copied = [name for name in names if name != serial]
    for row in database.execute(f"SELECT {', '.join(names)} FROM {table} WHERE {key_column} = ?", (old,)).fetchall():
        values = dict(zip(names, row)) | {key_column: new}
        marks = ", ".join("?" for _ in copied)
        made = database.execute(f"INSERT INTO {table} ({', '.join(copied)}) VALUES ({marks})",
                                [values[name] for name in copied])
        if serial:
            copy_children(database, table, values[serial], made.lastrowid)
    if not serial:
        copy_children(database, table, old, new)


def copy_children(database, table, old, new):
    for child, column, _ in list(children_of(database, table)):
        clone(database, child, column, old, new)


def catalog_of(store):
    """The store's SQLite file."""
    for path in store.iterdir():
        if path.is_file() and path.open("rb").read(15) == b"SQLite format 3":
            return path
    raise RuntimeError(f"no SQLite file in {store}")


def multiply(store, token, count=ASSETS):
    """Makes so many assets out of one: rows by SQL, files as hard links."""
    database = sqlite3.connect(catalog_of(store))
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    with database:
        for number in range(count - 1):
            suffix = "".join(alphabet[number >> shift & 31] for shift in (15, 10, 5, 0))
            copy = token[:-4] + suffix
            if copy != token:
                clone(database, "asset", "token", token, copy)
                shutil.copytree(store / "assets" / token, store / "assets" / copy, copy_function=os.link)
    database.close()


def prepared(options):
    """The store, made once, and the token of one of its assets."""
    store, mark = options.work / "store-10k", options.work / "store-10k.token"
    if mark.exists():
        return store, mark.read_text()
    shutil.rmtree(store, ignore_errors=True)
    token = product.imported(store, assets.make(options.work, "tiny", assets.SMALL, 10, 1))
    multiply(store, token)
    mark.write_text(token)
    return store, token


def timed_command(options, store, *arguments):
    done = run([str(product.BINARY), *arguments], options.limit, product.environment(store), options.work)
    if done.status:
        raise RuntimeError(f"offline-server {' '.join(arguments)}: {done.errors[-300:]}")
    return done


def timed_peer(options, *command):
    done = run([str(word) for word in command], options.limit, folder=options.work)
    if done.status:
        raise RuntimeError(f"{command[0]}: {done.errors[-300:]}")
    return done.seconds


def against(options, what, peer, arguments, command, store):
    """A row of a command of ours and one of others."""
    return compare(options, Row("store", what, "s", "lower", peer),
                   lambda: timed_command(options, store, *arguments).seconds, lambda: timed_peer(options, *command))


def listing(options, store, token):
    """Lists and one asset, beside the same rows read by a script."""
    catalog = catalog_of(store)
    for what, arguments, condition in [
            ("list --limit 100 --json", ["list", "--limit", "100", "--json"], "ORDER BY token DESC LIMIT 100"),
            ("list --json", ["list", "--json"], "ORDER BY token DESC"),
            ("status of one", ["status", token, "--json"], f"WHERE token = '{token}'")]:
        yield against(options, f"{ASSETS:,} assets: {what}", "sqlite3 in Python", arguments,
                      [sys.executable, "-IS", "-c", READER, catalog, condition], store)


def first_playlist(server, path):
    """Seconds from the start of a server until it has sent a playlist."""
    started = time.monotonic()
    with server, urllib.request.urlopen(server.url + path) as response:
        response.read()
        return time.monotonic() - started


def serving(options, store, token):
    root = options.work / "nginx-start"
    root.mkdir(exist_ok=True)
    path = f"/assets/{token}/master.m3u8"
    with product.Server(store) as server:
        (root / "master.m3u8").write_bytes(server.get(path))
    row = Row("store", f"{ASSETS:,} assets: serve until it has sent a playlist", "s", "lower", "nginx")
    return compare(options, row, lambda: first_playlist(product.Server(store), path),
                   lambda: first_playlist(Nginx(root, options.work / "nginx", 1), "/master.m3u8"))


def starting(options):
    """A command that does nothing."""
    def milliseconds(program):
        started = time.monotonic()
        for _ in range(STARTS):
            subprocess.run([program, "--version"], stdout=subprocess.DEVNULL, check=True)
        return (time.monotonic() - started) / STARTS * 1000

    return compare(options, Row("store", "--version, the start and nothing else", "ms", "lower", "curl --version"),
                   lambda: milliseconds(str(product.BINARY)), lambda: milliseconds("curl"))


def playable(options):
    store = options.work / "store-2000"
    shutil.rmtree(store, ignore_errors=True)
    token = product.imported(store, assets.download_assets(options.work)["2,000 x 10 kB"])
    return against(options, "playable of an asset of 2,000 segments", "find, their sizes", ["playable", token],
                   ["find", store / "assets" / token, "-name", "*.ts", "-printf", "%s\n"], store)


def parsing(options):
    """A playlist of 100,000 segments: our whole command against Python with streamlink's parser, each with its start."""
    segments = 100_000
    path = assets.long_playlist(options.work / "long.m3u8", segments)
    size = path.stat().st_size / 1e6
    row = Row("store", f"reading {segments:,} segments ({size:.1f} MB), with the program's start", "s", "lower",
              "streamlink's parser")
    python = str(VENV / "python") if (VENV / "python").exists() else sys.executable

    def theirs():
        done = run([python, "-c", PARSER, str(path), str(segments)], options.limit, folder=options.work)
        return done.seconds if done.status == 0 else None

    return compare(options, row, lambda: timed_command(
        options, options.work / "store-none", "playlist", "parse", str(path), "--format", "json").seconds, theirs)


def printing(options):
    """A playlist of 10 MB, read and printed again."""
    path = assets.long_playlist(options.work / "longer.m3u8", 243_000)
    size = path.stat().st_size / 1e6
    row = Row("store", f"a playlist of {size:.1f} MB, read and printed, with the program's start", "MB/s", "higher",
              "our goal")
    return compare(options, row, lambda: size / timed_command(
        options, options.work / "store-none", "playlist", "parse", str(path), "--format", "m3u8").seconds, lambda: GOAL)


def rows(options):
    store, token = prepared(options)
    yield starting(options)
    yield serving(options, store, token)
    yield from listing(options, store, token)
    yield playable(options)
    yield parsing(options)
    yield printing(options)
