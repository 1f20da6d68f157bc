"""A simulation of players and of nodes that share a store: how many segments a second they serve, and what limits it.

Each event is a step of one request. A node on standby first asks the active node whether its segment is still right, if that
was longer ago than two seconds; then it sends the segment. CPUs and lines serve one step after the other.
"""
import heapq
from dataclasses import dataclass

from measure import Row

VALIDITY = 2.0  # seconds for which a confirmation holds
WARM, LENGTH = 3.0, 6.0  # seconds


@dataclass
class Costs:
    """CPU seconds of one step."""
    send: float  # on the active node
    send_kept: float  # on another node
    confirm: float


@dataclass
class Machine:
    """What a node may use: cores, and bytes a second of its line (`None`: no limit)."""
    cores: float
    line: float | None = None


class Resource:
    """A CPU or a line, which does one piece of work after the other."""

    def __init__(self, speed):
        self.speed, self.free, self.busy = speed, 0.0, 0.0

    def end(self, now, work):
        """The time at which work that arrives now is done."""
        begin = max(now, self.free)
        self.free = begin + work / self.speed
        if begin >= WARM:
            self.busy += work / self.speed
        return self.free


def simulate(nodes, machine, costs, connections, segments=1, size=1_000_000):
    """Segments a second of all nodes, and the share of the time for which each kind of resource is busy.

    Each node has `connections` players, which get one of `segments` segments after the other without a pause. The first
    node is active.
    """
    cpus = [Resource(machine.cores) for _ in range(nodes)]
    lines = [Resource(machine.line) for _ in range(nodes)] if machine.line else []
    confirmed, served = [{} for _ in range(nodes)], 0
    events = [(0.0, number, "ask") for number in range(nodes * connections)]
    # Far apart, so that no player comes to where another one was shortly before.
    places = [number * segments // (nodes * connections) for number in range(nodes * connections)]
    while events:
        now, player, step = heapq.heappop(events)
        if now > WARM + LENGTH:
            break
        node = player // connections
        segment = places[player] % segments
        if step == "ask":
            if node and now - confirmed[node].get(segment, -VALIDITY) >= VALIDITY:
                confirmed[node][segment] = now
                heapq.heappush(events, (cpus[0].end(now, costs.confirm), player, "send"))
                continue
            step = "send"
        if step == "send":
            heapq.heappush(events, (cpus[node].end(now, costs.send_kept if node else costs.send), player, "carry"))
        elif step == "carry" and lines:
            heapq.heappush(events, (lines[node].end(now, size), player, "end"))
        else:
            served += now >= WARM
            places[player] += 1
            heapq.heappush(events, (now, player, "ask"))
    busy = {"the CPU of the active node": cpus[0].busy / LENGTH}
    if nodes > 1:
        busy["the CPUs of the others"] = sum(cpu.busy for cpu in cpus[1:]) / LENGTH / (nodes - 1)
    if lines:
        busy["the lines of the nodes"] = sum(line.busy for line in lines) / LENGTH / nodes
    return served / LENGTH, busy


def limit(busy):
    """The resources that are busy for the largest share of the time, in words."""
    share = max(busy.values())
    names = [name for name, value in busy.items() if value > share - 0.01]
    return f"{' and '.join(names)}: busy for {min(share, 1):.0%} of the time"


def rows(confirmed, measured, standby, share, connections):
    """The simulation beside what was measured, then for more nodes.

    `confirmed` is the row of the costs in ms for 1,000 confirmations; `measured` are the rows of capped nodes. What a request
    costs there follows from the rate of the active node alone, and from `standby`, the rate of another node alone.
    """
    one = measured[0].theirs / 2
    costs, machine = Costs(share / one, share / standby, confirmed.ours / 1e6), Machine(share)
    for row, count in zip(measured, [2, 4, 8]):
        found = Row("nodes", f"the simulation: {count} nodes with a tenth of a core each", "requests/s", "higher", "measured")
        found.add(simulate(count, machine, costs, connections)[0], row.ours, row.idle)
        yield found
    for count in [16, 32, 64]:
        rate, busy = simulate(count, machine, costs, connections)
        found = Row("nodes", f"the simulation: {count} nodes with a tenth of a core each", "requests/s", "higher",
                    f"{count} x one node", note=limit(busy))
        found.add(rate, count * one, True)
        yield found
    # Each request is for another segment, so that each one is confirmed: as many viewers of many films.
    costs = Costs(confirmed.theirs / 1e6, confirmed.theirs / 1e6 * one / standby, confirmed.ours / 1e6)
    for line, text in [(125e6, "1 Gbit/s"), (1250e6, "10 Gbit/s")]:
        alone, _ = simulate(1, Machine(2, line), costs, 16, segments=10_000_000)
        for count in [8, 16, 32, 64]:
            rate, busy = simulate(count, Machine(2, line), costs, 16, segments=10_000_000)
            found = Row("nodes", f"the simulation: {count} nodes with two cores and {text} each, each request for another segment",
                        "requests/s", "higher", f"{count} x one node", note=limit(busy))
            found.add(rate, count * alone, True)
            yield found
