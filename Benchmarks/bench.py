#!/usr/bin/env python3
"""Compares offline-server with the best of each kind, on this machine, in the same run.

  bench.py [--only serving,download,engine,playing,seeking,store,subtitles,pictures,growth,keys,look,files,pages,nodes,catalog] [--pairs 5] [--quick]

Prints a table and writes Benchmarks/results.json, Benchmarks/RESULTS.md and Benchmarks/growth.svg. Each figure is the
median of at least five rounds in which ours and the peer took turns; the ratio is the median of the rounds' ratios. A
row measured while something else used the CPUs says so. Each area keeps the machine, the commit and the versions of its
own run. --quick: one round of a second, to see that it runs; writes nothing.
"""
import argparse
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

import catalog
import downloading
import engine
import files
import growth
import keys
import look
import nodes
import pages
import pictures
import playing
import plot
import product
import seeking
import serving
import storing
import subtitles
from measure import Row

HERE = Path(__file__).resolve().parent
# What a run writes is no change of what it measures.
WRITTEN = ["RESULTS.md", "results.json", "growth.svg"]
AREAS = {"serving": serving, "download": downloading, "engine": engine, "playing": playing, "seeking": seeking, "store": storing,
         "subtitles": subtitles, "pictures": pictures, "growth": growth, "keys": keys,
         "look": look, "files": files, "pages": pages, "nodes": nodes,
         "catalog": catalog}


def figure(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def theirs(row):
    return ("over " if row.bound else "") + figure(row.theirs)


def verdict(row):
    if row.ratio is None:
        return "-"
    # A bound is rounded up, so that it holds.
    ratio = f"under x{math.ceil(row.ratio * 100) / 100:.2f}" if row.bound else f"x{row.ratio:.2f}"
    return f"{ratio} ({row.better} is better)"


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    # What follows the version says who built the kernel.
    return f"{os.cpu_count()} x {model}, {memory:.0f} GiB, Linux {platform.release().split('-')[0]}"


def commit():
    """The commit of the tree that the program was built in, and whether the tree has changed since."""
    def git(*arguments):
        return subprocess.run(["git", "-C", str(product.BINARY.parent), *arguments], capture_output=True, text=True,
                              check=True).stdout.strip()
    try:
        changes = git("status", "--porcelain", "--", ":/", *(f":(top,exclude)Benchmarks/{name}" for name in WRITTEN))
        return git("rev-parse", "--short", "HEAD") + (" changed" if changes else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def version(*command):
    path = os.environ["PATH"] + ":/usr/sbin"
    binary = shutil.which(command[0], path=path)
    if not binary:
        return "missing"
    done = subprocess.run([binary, *command[1:]], capture_output=True, text=True)
    return (done.stdout + done.stderr).strip().splitlines()[0]


def versions():
    return {"offline-server": version(str(product.BINARY), "--version"), "nginx": version("nginx", "-v"),
            "aria2c": version("aria2c", "--version"), "curl": version("curl", "--version"),
            "ffmpeg": version("ffmpeg", "-version"),
            "yt-dlp": version(str(downloading.VENV / "yt-dlp"), "--version"),
            "streamlink": version(str(downloading.VENV / "streamlink"), "--version")}


def table(rows):
    """The rows of one area; those that have sizes say what one more costs."""
    has_sizes = any(row.series for row in rows)
    titles = ["what", "ours", "peer", "theirs", "ours / theirs", *["one more costs"] * has_sizes, "rounds", "machine"]
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for row in rows:
        state = ("idle" if row.idle else "**busy**") + (f"; {row.note}" if row.note else "")
        each = [f"{figure(row.each[0])} {row.each[1]}" if row.each else "-"] * has_sizes
        cells = [row.what, f"{figure(row.ours)} {row.unit}", row.peer, theirs(row), verdict(row), *each,
                 str(row.pairs), state]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def earlier(measured_now):
    """The rows of areas that this run did not measure, and the versions that each of these was measured with."""
    file = HERE / "results.json"
    document = json.loads(file.read_text()) if file.exists() else {"rows": []}
    rows = [Row.of(row) for row in document["rows"] if row["area"] not in measured_now]
    # Older documents have one list for all areas.
    kept = {row.area: document.get("versions", {}).get(row.area, document.get("versions", {})) for row in rows}
    return rows, kept


def programs(versions):
    """The versions of all areas; those that areas have in common stand once."""
    lists = {}
    for area in (area for area in AREAS if area in versions):
        lists.setdefault("\n".join(f"- {name}: {text}" for name, text in versions[area].items()), []).append(area)
    return "\n\n".join(f"Versions of the programs ({', '.join(areas)}):\n\n{text}" for text, areas in lists.items())


def write(rows, started, revision):
    for row in rows:
        row.measured, row.commit = f"{started} on {machine()}", revision
    now = dict.fromkeys((row.area for row in rows), versions())
    others, kept = earlier(set(now))
    render(rows + others, kept | now)


def render(rows, versions):
    rows = sorted(rows, key=lambda row: list(AREAS).index(row.area))
    document = {"versions": versions, "rows": [row.document() for row in rows]}
    (HERE / "results.json").write_text(json.dumps(document, indent=1) + "\n")
    (HERE / "RESULTS.md").write_text("\n\n".join(parts(rows, versions)) + "\n")


def heading(row):
    """The title of an area: when, where and of which commit it was measured, as one of its rows says."""
    revision = f"; commit {row.commit}" if row.commit else ""
    return f"## {row.area.capitalize()} ({row.measured}{revision})"


def parts(rows, versions):
    """The paragraphs of RESULTS.md; the picture is written beside it."""
    yield "# Results\n\nMade by `make bench`; each part says when, and on which machine."
    for area in AREAS:
        found = [row for row in rows if row.area == area]
        if found:
            yield f"{heading(found[0])}\n\n{AREAS[area].__doc__.strip()}\n\n{table(found)}"
    grown = [row for row in rows if row.series]
    if grown:
        (HERE / "growth.svg").write_text(plot.svg(grown))
        yield "![how the figures grow](growth.svg)"
    yield programs(versions)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(AREAS), help="areas, separated by commas")
    parser.add_argument("--pairs", type=int, default=5, help="rounds of each comparison")
    parser.add_argument("--seconds", type=int, default=3, help="length of one wrk run")
    parser.add_argument("--limit", type=float, default=60, help="seconds after which a downloader is stopped")
    parser.add_argument("--patience", type=float, default=20, help="seconds to wait for an idle machine")
    parser.add_argument("--peers", type=lambda text: text.split(","), help="downloaders to compare with")
    parser.add_argument("--networks", type=lambda text: text.split(","),
                        help="'loopback', '40 ms round trip', '20 Mbit/s'")
    parser.add_argument("--work", type=Path, default=HERE / "work", help="folder for assets and stores")
    parser.add_argument("--quick", action="store_true", help="one short round; writes no results")
    parser.add_argument("--render", action="store_true",
                        help="measure nothing; write RESULTS.md and growth.svg from results.json again")
    options = parser.parse_args()
    options.alone = False
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.quick:
        options.pairs, options.seconds, options.patience = 1, 1, 0
    return options


def main():
    options = parse()
    if options.render:
        return render(*earlier(set()))
    if not product.BINARY.exists():
        sys.exit(f"{product.BINARY} is missing: make build")
    started, revision = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), commit()
    rows, failed = [], []
    for area in options.only.split(","):
        try:
            for row in AREAS[area].rows(options):
                rows.append(row)
                print(f"{row.what}: {figure(row.ours)} {row.unit}, {row.peer} {theirs(row)}: {verdict(row)}"
                      + ("" if row.idle else "  [busy machine]"), file=sys.stderr, flush=True)
        except RuntimeError as error:
            failed.append(area)
            print(f"{area}: {error}", file=sys.stderr, flush=True)
    for area in AREAS:
        found = [row for row in rows if row.area == area]
        if found:
            print(table(found) + "\n")
    for row in rows:
        if row.series:
            print("\n" + plot.text(row))
    if not options.quick:
        write(rows, started, revision)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
