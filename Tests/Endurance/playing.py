"""What players do: they read the playlists that are served, and get what these name."""
import re
from urllib.parse import urljoin, urlsplit

import product

URI = re.compile(r'URI="([^"]+)"')


async def text(port, path):
    """A playlist; `None` when it can't be had."""
    reply = await product.request(port, "GET", path)
    return reply.body.decode() if reply and reply.whole and reply.status == 200 else None


def named(playlist, base):
    """The paths that a playlist names, without those of gaps and keys."""
    paths, is_gap = [], False
    for line in playlist.splitlines():
        is_gap = is_gap or line == "#EXT-X-GAP"
        uri = URI.search(line) if line.startswith(("#EXT-X-MEDIA:", "#EXT-X-MAP:")) else None
        if line and not line.startswith("#"):
            paths += [] if is_gap else [line]
            is_gap = False
        elif uri:
            paths.append(uri[1])
    return list(dict.fromkeys(path_of(path, base) for path in paths))


def path_of(reference, base):
    """The path that a reference in a playlist names."""
    return urlsplit(urljoin(base, reference)).path


async def media_playlists(port, token):
    """The paths of an asset's media playlists; `None` when they can't be had."""
    base = f"/assets/{token}/master.m3u8"
    master = await text(port, base)
    return None if master is None else named(master, base)


async def files(port, token):
    """The paths below an asset of everything that its playlists name; `None` when one of them can't be had."""
    found = []
    for path in await media_playlists(port, token) or [None]:
        playlist = path and await text(port, path)
        if not playlist:
            return None
        found += [below(token, path) for path in named(playlist, path)]
    return found


def below(token, path):
    return path.removeprefix(f"/assets/{token}/")
