"""The look at each segment before it is stored, against SHA-256 of the same bytes and the whole download.

A small program, built from the sources of MediaContainers, reads the segments' files in pieces as a download does, and
judges each; it does nothing else. Python hashes them by OpenSSL, piece by piece as well. "5 % of the download" is what we
allow the look, of what our download of the same segments takes over loopback. All figures are CPU time.
"""
import hashlib
import subprocess
import time
from pathlib import Path

import assets
import downloading
from measure import Row, in_turn, machine_is_idle
from origin import Link, Nginx

ROOT = Path(__file__).resolve().parent.parent
HASH, LIMIT = "SHA-256 of them", "5 % of the download"
TITLES = ("200 x 1 MB", "2,000 x 10 kB")
DRIVER = """
import Foundation

struct FileBytes: MediaBytes {
    let descriptor: Int32
    let count: Int

    func read(at offset: Int, count: Int) -> [UInt8] {
        let wanted = max(0, min(count, self.count - offset))
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, wanted, offset))
        }
    }
}

let start = clock()
for path in CommandLine.arguments.dropFirst() {
    let descriptor = open(path, O_RDONLY)
    let count = Int(lseek(descriptor, 0, SEEK_END))
    let verdict = MediaLook(expecting: MediaExpectation(.segment)).judge(FileBytes(descriptor: descriptor, count: count))
    guard case .media = verdict else { exit(1) }
    close(descriptor)
}
print(Double(clock() - start) / Double(CLOCKS_PER_SEC))
"""


def built(options):
    """The program that looks."""
    folder = options.work / "look"
    folder.mkdir(exist_ok=True)
    (folder / "main.swift").write_text(DRIVER)
    sources = sorted(map(str, (ROOT / "Sources/MediaContainers").rglob("*.swift")))
    subprocess.run(["swiftc", "-O", "-o", str(folder / "look"), *sources, str(folder / "main.swift")], check=True)
    return folder / "look"


def looking(program, files):
    """The seconds of CPU time of a look at all files."""
    done = subprocess.run([str(program), *map(str, files)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def hashing(files):
    """The seconds of CPU time of their hashes."""
    started = time.process_time()
    for file in files:
        total = hashlib.sha256()
        with open(file, "rb") as source:
            while piece := source.read(256 << 10):
                total.update(piece)
    return time.process_time() - started


def rows(options):
    made, program = assets.download_assets(options.work), built(options)
    with Nginx(options.work, options.work / "nginx", 2) as nginx, Link(nginx, 0.0, 0.0) as link:
        for title in TITLES:
            files = assets.segment_files(made[title])
            against = {peer: Row("look", f"a look at {title}: CPU time", "s", "lower", peer) for peer in (HASH, LIMIT)}
            for number in range(options.pairs):
                idle = machine_is_idle(options.patience)
                ours, theirs = in_turn(number, lambda: looking(program, files), lambda: hashing(files))
                done = downloading.Job(options, link.url, made[title]).by(downloading.OURS)
                against[HASH].add(ours, theirs, idle)
                against[LIMIT].add(ours, 0.05 * done.cpu, idle)
            yield from against.values()
