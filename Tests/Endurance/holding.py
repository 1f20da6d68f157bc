"""What the server has acknowledged, and whether it holds."""
import asyncio

import product

# What an asset says of itself, by the name under which an acknowledged change is remembered.
FACTS = {
    "state": lambda asset: asset["state"],
    "name": lambda asset: asset["name"],
    "pinned": lambda asset: asset["pinned"],
    "source": lambda asset: asset["source_url"],
    "license": lambda asset: asset["license"]["kind"],
    "recording": lambda asset: bool((asset["live"] or {}).get("recording")),
    "purged": lambda asset: stored(asset) == 0,
}


def stored(asset):
    """The segments that are stored of the variant."""
    return sum(row["stored_segments"] for row in asset["renditions"][:1])


def languages(asset):
    return {(row["type"], row["language"]) for row in asset["renditions"]}


class Known:
    """An asset: its stream, and what was acknowledged of it. Whoever changes it holds the lock."""

    def __init__(self, stream, is_imported=False):
        self.stream, self.is_imported, self.lock, self.version = stream, is_imported, asyncio.Lock(), 0
        self.is_complete = self.is_damaged = False
        self.stored, self.facts, self.added, self.gone, self.blob = 0, {}, set(), set(), None

    def forget(self, *names, progress=False):
        """What is being changed is not known until that is acknowledged."""
        self.version += 1
        for name in names:
            self.facts.pop(name, None)
        if progress:
            self.is_complete, self.stored = False, 0

    def see(self, asset):
        """Takes in what the server says by itself, which it has to stand by."""
        is_playable = asset["playable"]["offline"] or self.lacks_key(asset)
        # An asset without a file of its subtitles plays, and is damaged.
        is_whole = asset["state"] == "complete" and is_playable and asset["health"] != "damaged"
        self.stored = max(self.stored, stored(asset))
        if is_whole:
            self.is_complete, self.is_damaged = True, False
        return is_whole

    def lacks_key(self, asset):
        return self.stream.shape == "sealed" and asset["playable"]["blocked_by"] == ["key-missing"]

    def broken(self, asset, may_be_damaged=False):
        """What does not hold, in words. `may_be_damaged`: whether a disk may have failed under a look at the files."""
        state, playable = asset["state"], asset["playable"]
        if self.is_complete and state != "complete":
            yield f"was complete, and is {state}"
        may_be_damaged = may_be_damaged or self.is_damaged
        if state == "complete" and not playable["offline"] and not may_be_damaged and not self.lacks_key(asset):
            yield f"is complete and not playable: {playable}"
        if stored(asset) < self.stored and not may_be_damaged:
            yield f"had {self.stored} segments, and has {stored(asset)}"
        for name, value in self.facts.items():
            if FACTS[name](asset) != value:
                yield f"{name} was {value!r}, and is {FACTS[name](asset)!r}"
        if state == "complete" and self.added - languages(asset):
            yield f"is complete without what was added: {self.added - languages(asset)}"
        if self.gone & languages(asset):
            yield f"has what was taken away: {self.gone & languages(asset)}"


async def asset_of(server, token, tries=5):
    """What the server says of an asset: (status, document). What the disk does not give is asked for again."""
    for _ in range(tries):
        reply = await server.call("GET", f"/assets/{token}")
        if reply is None or not reply.whole:
            return None, None
        if reply.status < 500:
            break
    return reply.status, reply.json if reply.status == 200 else None


async def key_of(server, token):
    reply = await product.request(server.port, "GET", f"/assets/{token}/keys/k0.key")
    return reply.body if reply and reply.whole and reply.status == 200 else None
