"""What is done with an asset that is complete: each has to be acknowledged, and the asset is as good as before."""
import asyncio
import json
from pathlib import Path

import playing
import product

SUBTITLES = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nBonjour\n"


class Chores:
    """Chores of a `Soak`."""

    def __init__(self, soak):
        self.soak, self.server, self.random = soak, soak.server, soak.random
        # Written once: whoever writes it again leaves others an empty one for a moment.
        self.subtitles = Path(self.server.store).parent / "fr.vtt"
        self.subtitles.write_text(SUBTITLES)

    async def some(self, token, stream):
        """Some of the chores, in any order."""
        kinds = [self.verify, self.repair, self.relink, self.add_file, self.clear]
        kinds += [self.add_track] if stream.shape == "rich" else []
        kinds += [self.copy] if self.random.random() < 0.2 else []
        for chore in self.random.sample(kinds, 2):
            await chore(token, stream)

    async def call(self, name, method, path, body, status):
        """A command that nothing speaks against."""
        reply = await self.server.call(method, path, body)
        if reply is None or reply.status != status:
            self.soak.note(f"{method} {path} {body}: {reply and (reply.status, reply.body[:300])}")
            return None
        self.soak.counts[name] += 1
        return reply.json

    async def verify(self, token, stream):
        found = await self.call("verify", "POST", f"/assets/{token}/verify", {}, 200)
        if found and not found["sound"]:
            self.soak.note(f"{token} is damaged: {found}")

    async def repair(self, token, stream):
        """A file is gone, and comes back."""
        folder = Path(self.server.store) / "assets" / token
        units = [path for path in folder.glob("*/*") if stream.expected(path.parent.name, path.name) is not None]
        with self.soak.unsettled(token):
            if units:
                self.random.choice(units).unlink()
            is_quick = self.random.random() < 0.5
            await self.call("repair", "POST", f"/assets/{token}/repair", {"quick": is_quick}, 202)
            await self.soak.settled(token)

    async def ask(self, name, path, body, status):
        """A command for which the origin is asked, which may refuse just then; that is told, and changes nothing."""
        reply = await self.server.call("POST", path, body)
        self.soak.counts[name if reply and reply.status == status else f"{name} refused"] += 1
        if self.soak.is_intended(path, reply) and (reply is None or reply.status not in (status, 409, 422, 503)):
            self.soak.note(f"{path}: {reply and (reply.status, reply.body[:300])}")

    async def relink(self, token, stream):
        url = self.soak.source.url(*stream, alias=self.random.randrange(1000))
        await self.ask("relink", f"/assets/{token}/relink", {"url": url}, 200)

    async def add_track(self, token, stream):
        # It is listed before the answer is here.
        with self.soak.unsettled(token):
            await self.ask("track", f"/assets/{token}/tracks", {"audio": "de"}, 202)
            await self.soak.settled(token)

    async def add_file(self, token, stream):
        body = {"subtitle_files": [{"source": str(self.subtitles), "language": "fr"}]}
        await self.call("subtitle file", "POST", f"/assets/{token}/tracks", body, 202)
        await self.soak.settled(token)
        reply = await product.request(self.server.port, "GET", f"/assets/{token}/subtitles/fr.vtt")
        if reply is None or reply.status != 200 or b"Bonjour" not in reply.body:
            self.soak.note(f"{token}/subtitles/fr.vtt: {reply and (reply.status, reply.body[:200])}")

    async def clear(self, token, stream):
        """Through ?decrypt=1 comes the same, where nothing is encrypted."""
        if stream.has_key or stream.shape != "plain":
            return
        reply = await product.request(self.server.port, "GET", f"/assets/{token}/video/0.ts?decrypt=1")
        if reply is None or reply.body != stream.expected("video", "0.ts"):
            self.soak.note(f"{token}/video/0.ts?decrypt=1: {reply and reply.status}")
        self.soak.counts["decrypt"] += 1

    async def copy(self, token, stream):
        """Out of the store and into it again."""
        folder = Path(self.server.store).parent / f"copy-of-{token}" / stream.name
        folder.parent.mkdir()
        with_keys = ["--with-keys"] if stream.has_key else []
        if await self.server.command("export", token, folder, *with_keys) != 0:
            return self.soak.note(f"{token} can't be exported")
        self.soak.counts["export"] += 1
        made = await self.call("import", "POST", "/import", {"path": str(folder)}, 201)
        if made:
            for name in await playing.files(self.server.port, made["token"]) or []:
                await self.soak.fetch(made["token"], stream, name, must=True)
            await self.call("removed", "DELETE", f"/assets/{made['token']}", None, 204)


async def record(soak):
    """Records one live stream after the other."""
    while soak.goes_on:
        with soak.added(await soak.enter("live", live=True, from_start=True)) as token:
            if token:
                state = await soak.settled(token)
                soak.counts["recorded"] += state == "complete"
                await soak.check(token)
                await soak.remove(token)
        await asyncio.sleep(1)


async def follow(soak):
    """Follows all events to the end: their numbers grow, and the stream of them does not break."""
    last = 0
    while soak.goes_on:
        reader, writer = await asyncio.open_connection("127.0.0.1", soak.server.port)
        try:
            fields = [soak.server.credentials, "Connection: close"]
            await product.ask(writer, soak.server.port, "GET", f"/api/v1/events?since={last}", fields)
            status, head = await product.head_of(reader)
            if status != 200:
                soak.note(f"events: {status}")
            while soak.goes_on:
                line = await asyncio.wait_for(reader.readline(), 60)
                if not line:
                    soak.note("the stream of events ended")
                    break
                if line.startswith(b"data:") and b'"id"' in line:
                    number = json.loads(line[5:]).get("id") or last
                    if number < last:
                        soak.note(f"event {number} came after {last}")
                    last = number
                    soak.counts["events"] += 1
        except (asyncio.TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            soak.note(f"events: {error!r}")
        finally:
            writer.close()
