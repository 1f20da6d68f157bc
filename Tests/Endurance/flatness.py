"""Whether what a process uses of the machine stays what it was, and what is left of a store's files."""
import re
import statistics

ERROR = re.compile(r"^\S+ (?:error|critical) .*$", re.MULTILINE)
# What may be gained over the time that is judged: a share of the median, and so much more.
ALLOWED = {"own kB": (0.05, 4096), "mappings": (0.1, 64), "descriptors": (0.1, 16), "threads": (0.1, 8)}
LEAST_SECONDS = 600


def slope(points):
    """The median of the slopes between all pairs of points (Theil and Sen): outliers do not count."""
    return statistics.median((y2 - y1) / (x2 - x1) for i, (x1, y1) in enumerate(points) for x2, y2 in points[i + 1:])


def grown(samples, seconds):
    """What grew over the last two thirds of samples (time, values by name), in words; prints all of it. A short run is
    not judged: everything is still warming up."""
    late = samples[len(samples) // 3:]
    if len(late) < 3:
        return
    for name, (share, more) in ALLOWED.items():
        points = [(time, values[name]) for time, values in late]
        gained = slope(points) * (points[-1][0] - points[0][0])
        middle = statistics.median(value for _, value in points)
        print(f"{name}: {middle:.0f} in the median of the last two thirds, {gained:+.0f} over them")
        if gained > middle * share + more and seconds >= LEAST_SECONDS:
            yield f"{name} grew by {gained:.0f} from some {middle:.0f}"


def left(store, limit=64 << 20):
    """What lies in a store from which all assets were removed, in words; prints the sizes."""
    for folder in ("assets", "removed"):
        names = [path.name for path in (store / folder).iterdir()]
        if names:
            yield f"{len(names)} in {folder}, such as {names[0]}"
    for name in ("catalog.db", "catalog.db-wal"):
        size = (store / name).stat().st_size if (store / name).exists() else 0
        print(f"{name}: {size:,} bytes")
        if size > limit:
            yield f"{name} has {size:,} bytes"


def errors(log):
    """What the log calls errors."""
    for line in ERROR.findall(log.read_text(errors="replace"))[:20]:
        yield f"in the log: {line}"
