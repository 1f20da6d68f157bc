"""What lies in a store against what its catalog says, once no server has it: each knows the other, file by file."""
import sqlite3
from contextlib import closing

STORED = 1
SEGMENT = 0
PLAYLIST = "media.m3u8"
ROOT = {"catalog.db", "catalog.db-wal", "catalog.db-shm", "store.key", "api-token", "engine.lock", "spare-room",
        "assets", "removed", "certificates"}


def rows(database, query, *values):
    return database.execute(query, values).fetchall()


def files_of(database, rendition, extension, source):
    """The files that a rendition has by its rows, with their sizes; `None` where no row tells that."""
    found = {PLAYLIST: None} | ({source: None} if source else {})
    for kind, number, size in rows(database, "SELECT kind, number, size FROM unit WHERE rendition = ? AND state = ?",
                                   rendition, STORED):
        found[f"{number}.{extension}" if kind == SEGMENT else f"init-{number}.mp4"] = size
    return found


def compared(folder, wanted):
    """How the files of a folder differ from those that are wanted."""
    there = {path.name: path.stat().st_size for path in folder.iterdir()} if folder.is_dir() else {}
    for name in sorted(there.keys() - wanted.keys()):
        yield f"{folder / name} is known to no row"
    for name in sorted(wanted.keys() - there.keys()):
        yield f"{folder / name} is missing"
    for name in sorted(there.keys() & wanted.keys()):
        if wanted[name] not in (None, there[name]):
            yield f"{folder / name} has {there[name]} bytes, and {wanted[name]} by its row"


def tree(database, assets):
    """How the folder of assets differs from the rows."""
    tokens = {token: poster for token, poster in rows(database, "SELECT token, poster FROM asset")}
    for folder in sorted(assets.iterdir()):
        if folder.name not in tokens:
            yield f"{folder} is known to no row"
    for token, poster in tokens.items():
        listed = rows(database, "SELECT id, name, extension, source_file FROM rendition"
                                " WHERE asset = ? AND has_playlist", token)
        if (assets / token).is_dir():
            own = {path.name for path in (assets / token).iterdir()}
            for name in sorted(own - {name for _, name, _, _ in listed} - {poster}):
                yield f"{assets / token / name} is known to no row"
        for rendition, name, extension, source in listed:
            yield from compared(assets / token / name, files_of(database, rendition, extension, source))


def inspect(store):
    """What is wrong with a store, in words."""
    with closing(sqlite3.connect(store / "catalog.db")) as database:
        verdict = rows(database, "PRAGMA integrity_check")[0][0]
        if verdict != "ok":
            yield f"integrity_check: {verdict}"
        for row in rows(database, "PRAGMA foreign_key_check"):
            yield f"foreign_key_check: {row}"
        for row in rows(database, "SELECT id, path FROM disposal"):
            yield f"the removal of {row} is not done"
        yield from tree(database, store / "assets")
    for path in sorted((store / "removed").glob("*")):
        yield f"{path} is left of what was removed"
    for path in sorted(store.iterdir()):
        if path.name not in ROOT:
            yield f"{path} is nothing that a store has"
