"""Pictures of subtitles at 1280 x 720, against ffmpeg's subtitles filter (libass), which paints them over a clear picture."""
import time
from pathlib import Path

import product
from measure import Row, compare_all, run

DEMO = Path(__file__).resolve().parent.parent / "Sources/OfflineServerCommands/Resources/demo"
PICTURES = 100


def made(path):
    """A file with a cue of two lines for each second."""
    cues = [f"00:{number // 60:02}:{number % 60:02}.000 --> 00:{number // 60:02}:{number % 60:02}.990\n"
            f"<i>The line of number {number}</i>\nand a second one, which is longer\n" for number in range(PICTURES + 1)]
    path.write_text("WEBVTT\n\n" + "\n".join(cues))
    return path


def checked(command, options):
    done = run(command, options.limit, folder=options.work)
    if done.status:
        raise RuntimeError(f"{' '.join(command)}: {done.errors[-300:]}")
    return done.seconds


def ffmpeg(options, pictures):
    """Seconds in which ffmpeg paints so many pictures, one for each second of the file."""
    source = f"color=c=black@0:s=1280x720:r=1:d={pictures},format=rgba"
    painted = f"subtitles={options.work / 'pictures.vtt'}:alpha=1"
    return checked(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-vf", painted, "-c:v", "png", "-f", "null", "-"],
                   options)


def served(server, token):
    """Seconds for a picture over HTTP. Each has another width, so that none was painted before."""
    path = f"/assets/{token}/subtitles/en/frame.png?at=1&height=720&width="
    server.get(path + "1280")
    started = time.monotonic()
    for number in range(PICTURES):
        server.get(f"{path}{1281 + number}")
    return (time.monotonic() - started) / PICTURES


def rows(options):
    path = made(options.work / "pictures.vtt")
    first = Row("pictures", "one picture, with the program's start", "ms", "lower", "ffmpeg's subtitles filter")
    further = Row("pictures", "a further picture: over HTTP, and in the same run of ffmpeg", "ms", "lower",
                  "ffmpeg's subtitles filter")
    store = options.work / "store-pictures"
    token = product.imported(store, DEMO)
    command = [str(product.BINARY), "subtitles", "render", str(path), "--at", "1", "--size", "1280x720", "-o",
               str(options.work / "picture.png")]

    def ours():
        once = checked(command, options)
        with product.Server(store) as server:
            return once * 1000, served(server, token) * 1000

    def theirs():
        once = ffmpeg(options, 1)
        return once * 1000, (ffmpeg(options, PICTURES + 1) - once) / PICTURES * 1000

    yield from compare_all(options, (first, further), ours, theirs)
