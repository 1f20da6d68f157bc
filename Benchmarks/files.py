"""A stored film of 200 MB as one MP4 file: exported, and read from its address, against `ffmpeg -c copy`."""
import subprocess

import assets
import product
from growth import film
from measure import Row, compare, compare_all, run

MEGABYTE = 1_000_000
TIMES = 5


def fragments(options, source):
    """The same film in fragmented MP4, made once."""
    folder = options.work / "big-fmp4"
    if not (folder / "index.m3u8").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", str(source / "index.m3u8"), "-c", "copy", "-f", "hls", "-hls_time", "2",
             "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", "-hls_segment_filename", str(folder / "%d.m4s"),
             str(folder / "index.m3u8")], check=True)
    return folder


def exported(command, path, options):
    """The speed in MB/s at which a command writes a file."""
    path.unlink(missing_ok=True)
    done = run(command, options.limit, folder=options.work)
    if done.status:
        raise RuntimeError(f"{' '.join(command)}: {done.errors[-300:]}")
    return path.stat().st_size / MEGABYTE / done.seconds


def read(url):
    """The speed in MB/s at which curl reads a whole file, several times over one connection. It drops what it reads."""
    done = subprocess.run(["curl", "-sf", "-w", "%{size_download} %{time_total}\n"] + ["-o", "/dev/null", url] * TIMES,
                          capture_output=True, text=True, check=True)
    sizes, times = zip(*(map(float, line.split()) for line in done.stdout.splitlines()))
    return sum(sizes) / MEGABYTE / sum(times)


def first_byte(options):
    """How soon a player of one file can begin: our first answer after a start, before any layout is known, and ffmpeg's finished file."""
    folder = film(options)
    store, path = options.work / "store-files-two-hours", options.work / "film.mp4"
    token = product.imported(store, folder)

    def ours():
        with product.Server(store) as server:
            done = subprocess.run(["curl", "-sf", "-r", "0-99", "-o", "/dev/null", "-w", "%{time_starttransfer}",
                                   f"{server.url}/assets/{token}/video.mp4"], capture_output=True, text=True, check=True)
        return 1000 * float(done.stdout)

    def theirs():
        path.unlink(missing_ok=True)
        return 1000 * run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", str(folder / "index.m3u8"), "-c", "copy", "-movflags",
                           "faststart", str(path)], options.limit, folder=options.work).seconds

    row = Row("files", "first byte of video.mp4 of two hours, after a start", "ms", "lower", "ffmpeg -c copy, until its file is there")
    return compare(options, row, ours, theirs)


def rows(options):
    yield first_byte(options)
    packets = assets.download_assets(options.work)["200 x 1 MB"]
    for name, folder in (("transport stream", packets), ("fragmented MP4", fragments(options, packets))):
        store = options.work / f"store-files-{folder.name}"
        token = product.imported(store, folder)
        path = options.work / "film.mp4"
        export = Row("files", f"export of a {name} into MP4", "MB/s", "higher", "ffmpeg -c copy")
        served = Row("files", f"video.mp4 of a {name}, read over HTTP", "MB/s", "higher", "ffmpeg -c copy into a file")

        def ours():
            speed = exported([str(product.BINARY), "--store", str(store), "export", token, str(path)], path, options)
            with product.Server(store) as server:
                return speed, read(f"{server.url}/assets/{token}/video.mp4")

        def theirs():
            speed = exported(["ffmpeg", "-nostdin", "-v", "error", "-y", "-allowed_extensions", "ALL", "-i", str(folder / "index.m3u8"),
                              "-c", "copy", str(path)], path, options)
            return speed, speed

        yield from compare_all(options, (export, served), ours, theirs)
