#!/usr/bin/env python3
"""Compares two builds of offline-server, on this machine, in the same run: what a change costs.

  before.py BEFORE [AFTER] [--only serving,store,engine,playing] [--pairs 5]

BEFORE and AFTER are programs; AFTER is by default the release build of this tree. The builds take turns, area by area, and
the one that begins changes from round to round. Each figure is the median of the rounds; the ratio is the median of the
rounds' ratios, and the spread says how far the ratios of single rounds lie apart. Each build has stores of its own, because
an older program can't open the catalog of a newer one. Writes nothing.
"""
import argparse
import sys
from pathlib import Path

import bench
import product
from measure import Row, machine_is_idle


def figures(options, area, program, work):
    """What one build reaches in an area: a row for each title."""
    product.BINARY = program
    options.work = work
    work.mkdir(parents=True, exist_ok=True)
    return {(row.what, row.unit): row for row in bench.AREAS[area].rows(options)}


def compared(options, area, programs):
    """The rows of an area: the build after beside the one before."""
    rows = {}
    for number in range(options.rounds):
        idle = machine_is_idle(options.patience)
        turn = ["after", "before"] if number % 2 == 0 else ["before", "after"]
        found = {name: figures(options, area, programs[name], options.folder / name) for name in turn}
        for key in found["after"]:
            after, before = found["after"][key], found["before"].get(key)
            if before is None:
                continue
            row = rows.setdefault(key, Row(area, after.what, after.unit, after.better, "before"))
            row.add(after.ours, before.ours, idle)
        print(f"{area}: round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
    return list(rows.values())


def table(rows):
    lines = ["| what | before | after | after / before | spread | machine |", "|---|---|---|---|---|---|"]
    for row in rows:
        ratios = sorted(after / before for after, before in row.samples if after is not None and before)
        spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}" if ratios else "-"
        lines.append(f"| {row.what} | {bench.figure(row.theirs)} {row.unit} | {bench.figure(row.ours)} {row.unit} "
                     f"| {bench.verdict(row)} | {spread} | {'idle' if row.idle else '**busy**'} |")
    return "\n".join(lines)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="the program of the older build")
    parser.add_argument("after", type=Path, nargs="?", default=product.BINARY, help="the program of the newer build")
    parser.add_argument("--only", default="serving,store,engine,playing", help="areas of bench.py, separated by commas")
    parser.add_argument("--pairs", type=int, default=5, dest="rounds", help="rounds of each area")
    parser.add_argument("--seconds", type=int, default=3, help="length of one wrk run")
    parser.add_argument("--limit", type=float, default=60, help="seconds after which a command is stopped")
    parser.add_argument("--patience", type=float, default=20, help="seconds to wait for an idle machine")
    parser.add_argument("--work", type=Path, default=bench.HERE / "work", help="folder for assets and stores")
    options = parser.parse_args()
    options.folder, options.pairs, options.alone = options.work.resolve() / "builds", 1, True
    options.peers = options.networks = None
    return options


def main():
    options = parse()
    programs = {"before": options.before.resolve(), "after": options.after.resolve()}
    for name, program in programs.items():
        if not program.exists():
            sys.exit(f"{program} is missing: it is the build {name}")
    for area in options.only.split(","):
        print(table(compared(options, area, programs)) + "\n", flush=True)


if __name__ == "__main__":
    main()
