"""Barrier and small collectives on real units, Tessera and both MPIs in turns, as tables for a document."""
import statistics
import sys
import tempfile
import time

import places
import programs

WORKS = ["barrier", "coll.allreduce", "coll.bcast"]
TITLES = {"barrier": "barrier", "coll.allreduce": "allreduce", "coll.bcast": "broadcast"}
BARE = "limits.barrier" # on Tessera's side only: the bare machine
RUN_MOST = 25 # seconds; a slower run has printed its first rows by then, and does not run on more units
LONG = 8       # seconds; a run that takes longer is not repeated


class Side:
    """A program and its launcher: Tessera on one MPI, or that MPI itself."""

    def __init__(self, title, path, kind, is_ours):
        self.title, self.path, self.kind, self.is_ours = title, path, kind, is_ours
        self.seen = {}  # (hosts, units, work) -> [ns, ...]
        self.most = {} # hosts -> the number of units from which on runs are too slow
        self.done = set()  # (hosts, units) that are not repeated

    def run(self, place, units, seconds, limit):
        """The bare barrier is a work, but --no-limit leaves it out with the limits of the others."""
        begun, hosts = time.monotonic(), getattr(place, "n", 1)
        arguments = ["--json", "--bytes", "8", "--seconds", str(seconds), "--reps", "7"]
        self.launch(place, units, [*WORKS, *arguments, "--no-limit"], limit)
        if time.monotonic() - begun > LONG:
            self.done.add((hosts, units))
        elif self.is_ours and hosts == 1:
            self.launch(place, units, [BARE, *arguments], limit)

    def launch(self, place, units, arguments, limit):
        hosts = getattr(place, "n", 1)
        try:
            output = places.launch(place, self.path, self.kind, units, arguments, max(1, min(RUN_MOST, limit)))
        except programs.Failed as failure:
            output = failure.args[1]
            if limit >= RUN_MOST:
                self.most[hosts] = units
            print(f"scale-model: {self.title}, {units} units, {hosts} hosts: {failure.args[0]}", file=sys.stderr)
        for (work, variant, _, unit), [(_, value), *_] in programs.rows_of(output).items():
            if unit == "ns" and (variant == "plain" or (work == BARE and variant == "futex")):
                self.seen.setdefault((hosts, units, work), []).append(value)

    def wants(self, hosts, units):
        return units < self.most.get(hosts, units + 1) and (hosts, units) not in self.done

    def cell(self, hosts, units, work):
        values = self.seen.get((hosts, units, work))
        if not values:
            return "too slow" if units >= self.most.get(hosts, units + 1) else ""
        micros = statistics.median(values) / 1e3
        return f"{micros:.{2 if micros < 1 else 1 if micros < 10 else 0}f}"


def find_sides(builds, scratch):
    """For each MPI: Tessera, if it is built for this MPI, and the MPI itself."""
    for mpi, title in (("mpich", "MPICH"), ("openmpi", "Open MPI")):
        ours = programs.find_ours(builds, mpi)
        theirs = programs.find_peer(mpi, builds, scratch)
        if ours:
            yield Side(f"Tessera on {title}", *ours, True)
        if theirs:
            yield Side(title, theirs, mpi, False)


def measure(sides, place, units_list, seconds, end):
    """Measures in rounds while there is time, so that a disturbance affects all sides alike."""
    hosts, rounds = getattr(place, "n", 1), 0
    while time.monotonic() < end and rounds < 5:
        for units in units_list:
            for side in sides:
                if time.monotonic() < end and side.wants(hosts, units):
                    side.run(place, units, seconds, end - time.monotonic() + 5)
        rounds += 1
    return rounds


def print_table(sides, hosts, units_list, bare):
    """`bare`: the side whose figures of the machine itself come last, if any."""
    columns = [(f"{TITLES[work]}: {side.title}", side, work) for work in WORKS for side in sides]
    if bare:
        columns.append(("bare futex barrier", bare, BARE))
    print("| units |", " | ".join(title for title, _, _ in columns), "|")
    print("|---" * (1 + len(columns)) + "|")
    for units in units_list:
        print(f"| {units} |", " | ".join(side.cell(hosts, units, work) for _, side, work in columns), "|", flush=True)


def print_tables(options):
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        sides = list(find_sides(options.build, scratch))
        if not any(side.is_ours for side in sides):
            sys.exit(f"scale-model: no tessera-perf in {', '.join(options.build)}")
        share = options.limit * (0.6 if options.hosts else 1)
        near = [side for side in sides if not side.is_ours]
        near.insert(0, next(side for side in sides if side.is_ours))
        rounds = measure(near, places.ThisHost(), options.units, options.seconds, begun + share)
        print(f"One host, microseconds, medians of up to {rounds} runs:\n")
        print_table(near, 1, options.units, near[0])
        if not options.hosts:
            return
        place = places.Hosts(options.hosts)
        try:
            units = [n for n in options.far_units if n >= options.hosts]
            rounds = measure(sides, place, units, options.seconds, begun + options.limit)
        finally:
            place.down()
        print(f"\n{options.hosts} hosts, microseconds, medians of up to {rounds} runs:\n")
        print_table(sides, options.hosts, units, None)
