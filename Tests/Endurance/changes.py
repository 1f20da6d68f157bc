"""Changes to assets, one at random after the other; what the server acknowledges of them is remembered."""
import asyncio

import holding
from streams import Stream

DONE = (200, 201, 202, 204)
FILE = "subtitles", "fr"
SUBTITLES = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nBonjour\n"


class Changer:
    """Works on the assets of a `Crash` through one server."""

    def __init__(self, crash, server):
        self.crash, self.server, self.random = crash, server, crash.random
        self.subtitles = crash.folder / "fr.vtt"
        self.subtitles.write_text(SUBTITLES)

    async def run(self):
        while True:
            await asyncio.sleep(self.random.random() * 0.2)
            if self.random.random() < 0.25:
                await self.random.choice([self.batch, self.record, self.seal, self.prune])()
                continue
            change, suits = self.random.choice(CHANGES)
            fit = [(token, known) for token, known in self.crash.assets.items()
                   if suits(known) and not known.lock.locked()]
            if fit:
                token, known = self.random.choice(fit)
                async with known.lock:
                    await change(self, token, known)

    async def call(self, name, method, path, body):
        """One change; its answer when it was acknowledged."""
        reply = await self.server.call(method, path, body)
        is_done = reply is not None and reply.whole and reply.status in DONE
        self.crash.counts[name if is_done else f"{name} not done"] += 1
        return reply if is_done else None

    # MARK: More assets

    async def enter(self, name, streams, **terms):
        """Enters streams as one request."""
        if len(self.crash.assets) > 6:
            return
        urls = [self.crash.source.url(*stream) for stream in streams]
        bodies = [{"url": url, **terms} for url in urls]
        reply = await self.call(name, "POST", "/assets", bodies[0] if len(bodies) == 1 else {"assets": bodies})
        for stream, entry in zip(streams, [] if not reply else reply.json.get("assets", [reply.json])):
            self.crash.assets[entry["token"]] = holding.Known(stream)

    def stream(self, shape):
        self.crash.next += 1
        return Stream(self.crash.next, self.random.choice([2, 8, 20]), shape)

    async def batch(self):
        await self.enter("batch", [self.stream("plain"), self.stream("rich")])

    async def record(self):
        if not any(map(is_recorded, self.crash.assets.values())):
            await self.enter("recording", [self.stream("live")], live=True, from_start=True)

    async def seal(self):
        if not any(known.stream.shape == "sealed" for known in self.crash.assets.values()):
            await self.enter("sealed", [self.stream("sealed")], allow_missing_key=True)

    async def export(self, token, known):
        """Writes a folder, looks at it, and makes an asset of it."""
        if len(self.crash.assets) > 6:
            return
        self.crash.next += 1
        folder = self.crash.folder / "exports" / str(self.crash.next) / known.stream.name
        folder.parent.mkdir(parents=True)
        with_keys = ["--with-keys"] if known.stream.has_key else []
        if await self.server.command("export", token, folder, *with_keys) != 0:
            return
        self.crash.counts["export"] += 1
        for path in folder.glob("*/*"):
            wanted = known.stream.expected(path.parent.name, path.name)
            if wanted is not None and path.read_bytes() != wanted:
                self.crash.note(f"the export has wrong bytes: {path}")
        reply = await self.call("import", "POST", "/import", {"path": str(folder)})
        if reply:
            made = self.crash.assets[reply.json["token"]] = holding.Known(known.stream, is_imported=True)
            made.is_complete = True

    # MARK: Others

    async def change(self, what, token, known, path, body, method="POST", forgets=(), progress=False, **facts):
        """Changes an asset: what is known of it is forgotten before, and the `facts` hold after."""
        known.forget(*forgets, *facts, progress=progress)
        try:
            reply = await self.call(what, method, f"/assets/{token}{path}", body)
        finally:
            known.forget(*forgets, *facts, progress=progress)
        if reply:
            known.facts.update(facts)
        return reply

    async def edit(self, token, known):
        is_pinned, name = self.random.random() < 0.5, f"name {self.random.randrange(1000)}"
        await self.change("edit", token, known, "", {"pinned": is_pinned, "name": name}, "PATCH",
                          pinned=is_pinned, name=name)

    async def cancel(self, token, known):
        await self.change("purge", token, known, "/cancel", {"purge": True}, progress=True,
                          forgets=["recording"], state="cancelled", purged=True)

    async def resume(self, token, known):
        await self.change("resume", token, known, "/resume", {}, forgets=["state", "purged", "recording"])

    async def relink(self, token, known):
        url = self.crash.source.url(*known.stream, alias=self.random.randrange(1000))
        await self.change("relink", token, known, "/relink", {"url": url}, forgets=["state", "purged"],
                          progress=True, source=url)

    async def end_recording(self, token, known):
        if self.random.random() < 0.3:
            await self.change("recording ended", token, known, "/pause", {}, forgets=["state"], recording=False)

    async def license(self, token, known):
        await self.change("license", token, known, "/license", {"rental": "30d"}, license="rental")

    async def deposit(self, token, known):
        await self.crash.deposit(self.server, token, known)

    async def prune(self):
        """Frees what may go; now and then much more than that, but never what is pinned."""
        is_hungry = self.random.random() < 0.2
        body = {"free": 1 << 20, "evict": ["least-recently-played"]} if is_hungry else {}
        pinned = {token for token, known in self.crash.assets.items() if known.facts.get("pinned")}
        self.forget_evictable(is_hungry)
        reply = await self.call("prune", "POST", "/storage/prune", body)
        self.forget_evictable(is_hungry)
        for gone in reply.json["evicted"] if reply else []:
            if gone["token"] in pinned:
                self.crash.note(f"{gone['token']} is pinned, and was evicted")

    def forget_evictable(self, is_hungry):
        for known in self.crash.assets.values():
            # What a cancelled asset has kept goes in any case.
            known.forget(progress=not known.is_complete)
            if is_hungry and not known.facts.get("pinned"):
                known.forget("state", progress=True)

    # MARK: What is stored

    async def verify(self, token, known):
        reply = await self.change("verify", token, known, "/verify", {}, progress=self.crash.has_disk_faults)
        if not reply or reply.json["sound"] or known.is_damaged or known.stream.shape == "live":
            return
        if lacks_playlists_alone(reply.json):
            return
        known.is_damaged = True
        if not self.crash.has_disk_faults:
            self.crash.note(f"{token} is damaged: {reply.body[:300]}")

    async def repair(self, token, known):
        """Has a file gone, which the server is to notice and to fetch again."""
        units = [path for path in (self.crash.store / "assets" / token).glob("*/*")
                 if known.stream.expected(path.parent.name, path.name) is not None]
        if units and self.random.random() < 0.5:
            # Before the request: the server may be killed until then.
            known.forget(progress=True)
            known.is_damaged = True
            self.random.choice(units).unlink(missing_ok=True)
        await self.change("repair", token, known, "/repair", {"quick": self.random.random() < 0.5}, progress=True)

    async def add_track(self, token, known):
        track = self.random.choice(["audio", "subtitles"]), "de"
        known.gone.discard(track)
        if await self.change("track added", token, known, "/tracks", {track[0]: track[1]}, progress=True,
                             forgets=["state", "purged"]):
            known.added.add(track)

    async def remove_track(self, token, known):
        _, asset = await holding.asset_of(self.server, token)
        rows = [row for row in (asset or {}).get("renditions", []) if row["language"] in ("de", "fr")]
        if not rows:
            return
        row = self.random.choice(rows)
        track = row["type"], row["language"]
        known.added.discard(track)
        if await self.change("track removed", token, known, "/tracks", {"remove": [row["id"]]}, forgets=["state"]):
            known.gone.add(track)

    async def add_file(self, token, known):
        track = FILE
        known.gone.discard(track)
        body = {"subtitle_files": [{"source": str(self.subtitles), "language": FILE[1]}]}
        if await self.change("subtitle file", token, known, "/tracks", body, progress=True,
                             forgets=["state", "purged"]):
            known.added.add(track)


def is_recorded(known):
    return known.stream.shape == "live" and not known.is_complete


def lacks_playlists_alone(verification):
    """Whether a kill came after the media of a cancelled asset were freed and before its playlists were made again.

    The next download makes them.
    """
    names = verification["missing"] + verification["damaged"]
    return verification["health"] == "incomplete" and all(name.endswith("/media.m3u8") for name in names)


def has_tracks(known):
    return known.stream.shape == "rich" and not known.is_imported


# What can be done, and to which assets.
CHANGES = [
    (Changer.edit, lambda known: True),
    (Changer.cancel, lambda known: not known.is_complete),
    (Changer.resume, lambda known: not known.is_imported),
    (Changer.relink, lambda known: known.stream.mends and not known.is_imported),
    (Changer.verify, lambda known: True),
    (Changer.repair, lambda known: known.is_complete),
    (Changer.add_track, has_tracks),
    (Changer.add_track, has_tracks),
    (Changer.remove_track, lambda known: has_tracks(known) or FILE in known.added),
    (Changer.add_file, lambda known: FILE not in known.added),
    (Changer.end_recording, is_recorded),
    (Changer.deposit, lambda known: known.stream.shape == "sealed"),
    (Changer.license, lambda known: known.stream.has_key and known.is_complete and not known.is_imported),
    (Changer.export, lambda known: known.stream.shape != "sealed" and known.is_complete),
]
