"""A WebVTT file of 10 MB and 100,000 cues, read and written again, against ffmpeg's demuxer, which only reads it."""
import product
from measure import Row, compare_all, run

CUES = 100_000
SETTINGS = ["", "", "", " line:0 align:start", " position:20%,line-left size:60%"]


def moment(milliseconds):
    seconds = milliseconds // 1000
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds % 1000:03}"


def made(path):
    """The file, made once."""
    if path.exists():
        return path
    blocks = ["WEBVTT\n\nSTYLE\n::cue(b) { color: lime }\n"]
    for number in range(CUES):
        start = number * 3000
        blocks.append(f"{number}\n{moment(start)} --> {moment(start + 2500)}{SETTINGS[number % len(SETTINGS)]}\n"
                      f"<v Speaker {number % 7}>The line of number {number} &amp; <i>what follows</i>\n"
                      "and a second one\n")
    path.write_text("\n".join(blocks))
    return path


def measured(command, options, size):
    """MB a second, and MiB at the peak."""
    done = run(command, options.limit, folder=options.work)
    if done.status:
        raise RuntimeError(f"{' '.join(command)}: {done.errors[-300:]}")
    return size / done.seconds, done.peak


def rows(options):
    path = made(options.work / "long.vtt")
    size = path.stat().st_size / 1e6
    speed = Row("subtitles", f"reading {CUES:,} cues ({size:.1f} MB), with the program's start", "MB/s", "higher",
                "ffmpeg -c copy")
    memory = Row("subtitles", "the same: memory at its peak", "MiB", "lower", "ffmpeg -c copy")
    ours = [str(product.BINARY), "subtitles", "parse", str(path), "--format", "vtt"]
    theirs = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:s", "-c", "copy", "-f", "null", "-"]
    yield from compare_all(options, (speed, memory), lambda: measured(ours, options, size),
                           lambda: measured(theirs, options, size))
