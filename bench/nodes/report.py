"""The report: from the records of a run to Markdown. A record is one line of records.jsonl; its "what" is run, node,
mpi, command, row, time, formula, failure or note."""
import statistics

from programs import comparable, is_rate, ratio_of, scaled

WIRES = {"mpi": "TESSERA_NET=mpi", "ucx": "TESSERA_NET=ucx"}
TAIL_N = 12  # lines of a failed program that are shown


def of(records, what, **wanted):
    return [r for r in records if r["what"] == what and all(r.get(key) == value for key, value in wanted.items())]


def distinct(values):
    return list(dict.fromkeys(values))


def cell_text(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(heads, rows):
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(map(cell_text, row)) + " |"
    yield ""


# ---- figures ----

def by_round(rows):
    return {row["round"]: row["value"] for row in rows}


def ratios(ours, theirs, unit):
    """Of the rounds that both have. Above 1 Tessera is faster, or smaller."""
    pairs = (comparable(ours[r], theirs[r], unit) for r in ours if r in theirs)
    return [ratio_of(*pair, unit) for pair in pairs if pair]


def best_mode(rows, unit):
    """The rows of the peer's best mode."""
    modes = {}
    for row in rows:
        modes.setdefault(row["mode"], []).append(row)
    sign = -1 if is_rate(unit) else 1
    return min(modes.values(), key=lambda some: sign * statistics.median(row["value"] for row in some), default=[])


def with_range(values, unit):
    if not values:
        return "–"
    middle = scaled(statistics.median(values), unit)
    return middle if len(values) == 1 else f"{middle} ({scaled(min(values), unit)} to {scaled(max(values), unit)})"


def ratio_text(values):
    if not values:
        return "–"
    middle = f"{statistics.median(values):.2f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.2f} to {max(values):.2f})"


class Point:
    """One measurement: what each side has of it."""

    def __init__(self, rows):
        self.work, self.variant, self.bytes, self.unit = (rows[0][key] for key in ("work", "variant", "bytes", "unit"))
        peers = best_mode([row for row in rows if row["side"] == "peer"], self.unit)
        self.mode = peers[0]["mode"] if peers else ""
        self.peer = by_round(peers)
        self.wires = {wire: by_round([row for row in rows if row["side"] == wire]) for wire in WIRES}

    def side(self, name):
        return self.peer if name == "peer" else self.wires[name]

    def ratios(self, wire):
        return ratios(self.wires[wire], self.peer, self.unit)

    def cells(self):
        name = f"{with_range(self.peer.values(), self.unit)} {self.mode}".strip()
        ours = [text for wire in WIRES for text in (with_range(self.wires[wire].values(), self.unit),
                                                    ratio_text(self.ratios(wire)))]
        return [self.work, self.variant, self.bytes or "", name, *ours]


def points_of(records, stage, mpi):
    groups = {}
    for row in of(records, "row", stage=stage, mpi=mpi):
        groups.setdefault((row["work"], row["variant"], row["bytes"], row["unit"]), []).append(row)
    return [Point(rows) for rows in groups.values() if any(row["side"] in WIRES for row in rows)]


# ---- sections ----

COMPARISONS = {"mpi": ("mpi", "peer"), "ucx": ("ucx", "peer"), "ucx to mpi": ("ucx", "mpi")}


def counted(values):
    return f"{statistics.median(values):.2f} ({len(values)})" if values else "–"


def medians(points):
    """For each work, and for all together, the median over its points of each comparison, as text."""
    found = {}
    for point in points:
        for name, (side, base) in COMPARISONS.items():
            if values := ratios(point.side(side), point.side(base), point.unit):
                for work in (point.work, "all"):
                    found.setdefault(work, {}).setdefault(name, []).append(statistics.median(values))
    works = [*distinct(point.work for point in points), "all"]
    return {work: [counted(found.get(work, {}).get(name)) for name in COMPARISONS] for work in works}


def summary(records):
    yield "## Summary\n"
    yield ("The time of the MPI alone divided by that of Tessera on its wire mpi and on its wire ucx, and the time of "
           "the wire mpi divided by that of the wire ucx; for rates the inverse. Above 1 the one that is named first "
           "is faster. Medians over all sizes and variants; in brackets their number.\n")
    for stage in distinct(r["stage"] for r in of(records, "row")):
        mpis = distinct(r["mpi"] for r in of(records, "row", stage=stage))
        columns = [medians([p for p in points_of(records, stage, mpi) if p.work != "memory"]) for mpi in mpis]
        works = sorted(distinct(work for column in columns for work in column), key=lambda work: work == "all")
        yield f"{stage}:\n"
        yield from table(["work", *(f"{mpi}: {name}" for mpi in mpis for name in COMPARISONS)],
                         [[work, *(cell for column in columns for cell in column.get(work, ["–"] * len(COMPARISONS)))]
                          for work in works])


def figures(records):
    for stage in distinct(r["stage"] for r in of(records, "row")):
        for mpi in distinct(r["mpi"] for r in of(records, "row", stage=stage)):
            points = [point for point in points_of(records, stage, mpi) if point.work != "memory"]
            if not points:
                continue
            rounds = max(len(side) for point in points for side in (point.peer, *point.wires.values()))
            yield f"## {stage}, {mpi}\n"
            yield (f"Medians of up to {rounds} rounds, minimum and maximum in brackets; the ratio is taken within each "
                   "round. The program on MPI alone uses messages (trip, stream, p2p), collectives (coll), messages of "
                   "single pieces or of a derived type (pieces), or one-sided calls (put, get, atomic, busy-target); a "
                   "word behind its figure is the mode that was best.\n")
            yield from table(["work", "variant", "bytes", "MPI alone", "mpi wire", "ratio", "ucx wire", "ratio"],
                             [point.cells() for point in points])


def start_up(records):
    rows = []
    for stage, mpi in distinct((r["stage"], r["mpi"]) for r in of(records, "time")):
        sides = {side: [r["seconds"] for r in of(records, "time", stage=stage, mpi=mpi, side=side)]
                 for side in ("launcher", "peer", *WIRES)}
        rows.append([stage, mpi, *(with_range([1e9 * t for t in sides[side]], "ns") for side in sides)])
    if rows:
        yield "## Start and end of a job\n"
        yield "The whole time of a job that does nothing else. The launcher alone runs `true`.\n"
        yield from table(["stage", "MPI", "launcher alone", "MPI alone", "mpi wire", "ucx wire"], rows)


def kib(values):
    return f"{statistics.median(values):.0f}" if values else "–"


def memory(records):
    rows = []
    for stage, mpi in distinct((r["stage"], r["mpi"]) for r in of(records, "row", work="memory")):
        sides = {side: [r["value"] for r in of(records, "row", stage=stage, mpi=mpi, side=side, work="memory",
                                               variant="private")] for side in ("peer", *WIRES)}
        for wire in WIRES:
            shared = [r["value"] for r in of(records, "row", stage=stage, mpi=mpi, side=wire, work="memory",
                                             variant="shared")]
            formula = [r["bytes"] / 1024 for r in of(records, "formula", stage=stage, mpi=mpi, side=wire)]
            if sides[wire]:
                more = [statistics.median(sides[wire]) - statistics.median(sides["peer"])] if sides["peer"] else []
                figures_of = (sides[wire], sides["peer"], more, formula, shared)
                rows.append([stage, mpi, wire, *map(kib, figures_of)])
    if rows:
        yield "## Memory of unit 0 after the start, in KiB\n"
        yield ("Private memory (RssAnon); the last column is shared memory (RssShmem). The formula, `tessera-info "
               "--memory`, knows neither what the MPI needs for more threads and connections nor UCX's own memory.\n")
        yield from table(["stage", "MPI", "wire", "measured", "MPI alone", "difference", "formula", "shared"], rows)


def failures(records):
    found = of(records, "failure")
    yield f"## What failed ({len(found)})\n"
    if not found:
        yield "Nothing.\n"
    for failure in found:
        yield f"### {failure['stage']}, {failure['mpi']}, {failure['side']}: {failure['group']}\n"
        yield f"{failure['why']}\n"
        yield "    " + failure["command"]
        for line in failure["tail"][-TAIL_N:]:
            yield "    | " + line
        yield ""


def machine(records):
    yield "## Machine\n"
    nodes = {}
    for node in of(records, "node"):
        alike = tuple((key, value) for key, value in node["facts"].items() if key != "host")
        nodes.setdefault(alike, []).append(node["facts"]["host"])
    for facts, hosts in nodes.items():
        yield from table([f"{len(hosts)} node{'s' * (len(hosts) > 1)}", ", ".join(sorted(hosts))], facts)
    for mpi in of(records, "mpi"):
        yield f"### {mpi['name']}\n"
        yield from table(["", mpi["version"]], [(key, text) for key, text in mpi["table"].items() if text])
        yield "`tessera-info --explain` on the first node:\n"
        yield from ("    " + line for line in mpi["explain"].splitlines())
        yield ""


def commands(records):
    yield "## Commands\n"
    yield "Each distinct command once, with the number of times it ran.\n"
    counts = {}
    for record in of(records, "command"):
        counts[record["command"]] = counts.get(record["command"], 0) + 1
    yield from (f"    {count:3} x {command}" for command, count in counts.items())
    yield ""


def head(records):
    run = of(records, "run")[0]
    yield "# Tessera on a cluster\n"
    yield f"{run['date']}, by `{run['command']}`.\n"
    if run["environment"]:
        settings = ", ".join(f"`{name}={value}`" for name, value in run["environment"].items())
        yield f"Variables that were set: {settings}\n"
    for note in of(records, "note"):
        yield f"* {note['text']}"
    yield ""


def render(records):
    parts = (head, machine, summary, figures, start_up, memory, failures, commands)
    return "\n".join(line for part in parts for line in part(records)) + "\n"
