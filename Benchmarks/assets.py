"""The streams to measure with: real MPEG-TS from ffmpeg, at a constant bit rate so that sizes are known."""
import re
import subprocess
from pathlib import Path


def encode(target, width, height, rate, group, seconds, kilobits):
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s={width}x{height}:r={rate}",
         "-t", str(seconds), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-bf", "0",
         "-g", str(group), "-keyint_min", str(group), "-sc_threshold", "0", "-b:v", f"{kilobits}k",
         "-minrate", f"{kilobits}k", "-maxrate", f"{kilobits}k", "-bufsize", f"{kilobits // 2}k",
         "-x264-params", "nal-hrd=cbr:filler=1", "-bitexact", str(target)], check=True)


def cut(source, folder, repeats, segment_seconds, total):
    folder.mkdir(parents=True)
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", str(repeats), "-i", str(source),
         "-t", str(total), "-c", "copy", "-bitexact", "-f", "hls", "-hls_time", str(segment_seconds),
         "-hls_playlist_type", "vod", "-hls_segment_filename", str(folder / "%d.ts"), str(folder / "index.m3u8")],
        check=True)


def make(root, name, source, segments, segment_seconds):
    """An asset of `segments` segments in root/name, made once; `source`: (width, height, rate, seconds, kbit/s)."""
    folder = Path(root) / name
    if (folder / "index.m3u8").exists():
        return folder
    width, height, rate, seconds, kilobits = source
    clip = Path(root) / f"{name}.mp4"
    encode(clip, width, height, rate, rate * segment_seconds, seconds, kilobits)
    total = segments * segment_seconds
    cut(clip, folder, total // seconds, segment_seconds, total)
    clip.unlink()
    return folder


BIG = (640, 360, 25, 20, 4090)
SMALL = (64, 36, 10, 50, 66)
HUGE = (640, 360, 25, 10, 16300)


def download_assets(root):
    """200 segments of about 1 MB, 2,000 of about 10 kB, and the first 25 of the former for slow lines."""
    return {"200 x 1 MB": make(root, "big", BIG, 200, 2),
            "2,000 x 10 kB": make(root, "small", SMALL, 2000, 1),
            "25 x 1 MB": make(root, "big-25", BIG, 25, 2)}


def serving_assets(root):
    """Segments of 1 MB and 4 MB; playlists of about 2 kB and 20 kB."""
    return {"1 MB": make(root, "serve-1m", BIG, 5, 2), "4 MB": make(root, "serve-4m", HUGE, 5, 2),
            "2 kB": make(root, "serve-2k", SMALL, 75, 1), "20 kB": make(root, "serve-20k", SMALL, 790, 1)}


def segment_files(folder):
    """The segments' files in playlist order."""
    lines = (folder / "index.m3u8").read_text().splitlines()
    return [folder / line for line in lines if line and not line.startswith("#")]


def long_playlist(path, segments):
    """A media playlist of `segments` entries, as an event that lasted for weeks would have."""
    if path.exists():
        return path
    entries = "".join(f"#EXTINF:6.00600,\nseg-{number:08}.ts?part={number % 97}\n" for number in range(segments))
    path.write_text("#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:7\n#EXT-X-MEDIA-SEQUENCE:0\n"
                    "#EXT-X-PLAYLIST-TYPE:VOD\n" + entries + "#EXT-X-ENDLIST\n")
    return path


def natural(path):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", str(path))]
