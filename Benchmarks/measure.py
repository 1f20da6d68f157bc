"""Measuring: a child's wall time, CPU and peak memory; whether the machine was idle; rows of results."""
import os
import signal
import statistics
import subprocess
import time
from dataclasses import asdict, dataclass, field, fields

IDLE_SHARE = 0.9


def cpu_times():
    with open("/proc/stat") as stat:
        values = [int(value) for value in stat.readline().split()[1:]]
    return values[3] + values[4], sum(values)


def machine_is_idle(patience):
    """Waits up to `patience` seconds for a second in which the CPUs were idle; says whether there was one."""
    deadline = time.monotonic() + patience
    while True:
        idle_before, total_before = cpu_times()
        time.sleep(0.5)
        idle, total = cpu_times()
        if (idle - idle_before) / max(1, total - total_before) > IDLE_SHARE:
            return True
        if time.monotonic() > deadline:
            return False


def status_field(pid, name):
    """A size of /proc/PID/status in MiB, or 0 when the process is gone."""
    try:
        with open(f"/proc/{pid}/status") as status:
            for line in status:
                if line.startswith(name + ":"):
                    return int(line.split()[1]) / 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0.0


@dataclass
class Run:
    seconds: float
    cpu: float
    peak: float  # MiB
    status: int
    output: str
    errors: str


def run(command, limit, environment=None, folder=None):
    """Runs a command to its end, or kills its process group after `limit` seconds (status -9)."""
    log = open(os.path.join(folder or ".", "stderr"), "w+")
    out = open(os.path.join(folder or ".", "stdout"), "w+")
    started = time.monotonic()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=log, start_new_session=True,
                             env={**os.environ, **(environment or {})})
    peak = 0.0
    while True:
        peak = max(peak, status_field(child.pid, "VmHWM"))
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - started > limit:
            os.killpg(child.pid, signal.SIGKILL)
            _, status, usage = os.wait4(child.pid, 0)
            break
        # What takes milliseconds is looked at more often than what takes seconds.
        time.sleep(0.0005 if time.monotonic() - started < 0.1 else 0.004)
    seconds = time.monotonic() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    texts = []
    for file in (out, log):
        file.seek(0)
        texts.append(file.read())
        file.close()
    return Run(seconds, usage.ru_utime + usage.ru_stime, peak, child.returncode, *texts)


@dataclass
class Row:
    """One comparison: the medians, and the median of the ratios of the pairs."""
    area: str
    what: str
    unit: str
    better: str  # "higher" or "lower"
    peer: str
    ours: float | None = None
    theirs: float | None = None
    ratio: float | None = None
    pairs: int = 0
    idle: bool = True
    bound: bool = False  # the peer was stopped in a round: it needs longer, and the ratio is less
    note: str = ""
    measured: str = ""  # when, and on which machine
    commit: str = ""  # of the program; empty where nobody noted it
    samples: list = field(default_factory=list)
    series: list = field(default_factory=list)  # of a growth row: (how many, the value)

    def add(self, ours, theirs, idle):
        self.samples.append((ours, theirs))
        self.idle = self.idle and idle
        self.pairs = len(self.samples)
        self.ours = median(ours for ours, _ in self.samples)
        self.theirs = median(theirs for _, theirs in self.samples)
        ratios = [ours / theirs for ours, theirs in self.samples if ours is not None and theirs]
        self.ratio = median(ratios)

    @property
    def each(self):
        """What one more costs: (value, unit), `None` of a row that has no sizes. It may be less than nothing."""
        if not self.series:
            return None
        (few, least), (many, most) = self.series[0], self.series[-1]
        factor, unit = {"s": (1e6, "µs"), "ms": (1e3, "µs"), "MiB": (1 << 20, "bytes")}[self.unit]
        return (most - least) / (many - few) * factor, unit

    def document(self):
        """The row for other programs, with what follows from the rest of it."""
        cost = {"one_more_costs": dict(zip(("value", "unit"), self.each))} if self.series else {}
        return asdict(self) | cost

    @classmethod
    def of(cls, document):
        """The row of a document."""
        return cls(**{each.name: document[each.name] for each in fields(cls) if each.name in document})


def in_turn(number, ours, theirs):
    """What both give; who begins changes from round to round."""
    if number % 2 == 0:
        return ours(), theirs()
    other = theirs()
    return ours(), other


def compare(options, row, ours, theirs):
    """Fills a row round by round."""
    compare_all(options, [row], lambda: [ours()], lambda: [theirs()])
    return row


def compare_all(options, rows, ours, theirs):
    """Fills rows that are measured together, round by round: both give a value for each of them; `alone` asks no peer."""
    if options.alone:
        def theirs():
            return [None] * len(rows)
    for number in range(options.pairs):
        idle = machine_is_idle(options.patience)
        for row, mine, other in zip(rows, *in_turn(number, ours, theirs)):
            row.add(mine, other, idle)
    return rows


def median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None
