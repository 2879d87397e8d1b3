"""compare's report: what was measured where and how, as Markdown. A record is a dictionary, as compare fills it."""
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

import launchers
import machine
import pictures
from programs import KINDS, is_rate, scaled
from report import cell_text, distinct, table

HERE = pathlib.Path(__file__).resolve().parent
NOT_OF_INTEREST = ("host", "devices for verbs", "interfaces", "ucx_info -v")  # on one machine


# ---- facts ----

def commit():
    """Of the sources; with -dirty, if files are changed."""
    said = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty", "--exclude", "*"], capture_output=True,
                          text=True)
    return said.stdout.strip() or "unknown"


def build_type(path):
    """Of the build directory that a program is in; empty: it is in none."""
    for folder in pathlib.Path(path).resolve().parents:
        cache = folder / "CMakeCache.txt"
        if cache.exists():
            return machine.field(cache.read_text(), "CMAKE_BUILD_TYPE:STRING")
    return ""


def ours_text(path):
    version = machine.first_line(os.path.join(os.path.dirname(path), "tessera-info"), "--version") or "unknown version"
    return f"{version}, {build_type(path) or 'installed'}"


def peer_text(name):
    """Of a peer: the version of its launcher, which comes with its library."""
    kind = KINDS[name]
    return f"{kind.program} on {launchers.version_line(kind.launcher[0])}"


class Watch:
    """What else the machine did between the start and the end of a run."""

    def __init__(self):
        self.load, self.before = os.getloadavg()[0], machine.processor_times()
        self.start = datetime.datetime.now(datetime.timezone.utc)

    def facts(self):
        whole, stolen = (after - before for after, before in zip(machine.processor_times(), self.before))
        took = datetime.datetime.now(datetime.timezone.utc) - self.start
        return {"date": f"{self.start:%Y-%m-%d %H:%M} UTC", "duration": f"{took.total_seconds():.0f} s",
                "load average at the start": f"{self.load:.2f}",
                "steal time": f"{100 * stolen / max(whole, 1):.2f} % of the time of all processors"}


# ---- Markdown ----

def head(record):
    yield f"# {record['title']}\n"
    yield f"{record['facts']['date']}, commit `{record['commit']}`, by\n"
    yield f"    {record['command']}\n"
    if record["environment"]:
        settings = ", ".join(f"`{name}={value}`" for name, value in record["environment"].items())
        yield f"Variables that were set: {settings}\n"


def machine_table(record):
    yield "## Machine\n"
    facts = {key: value for key, value in record["machine"].items() if key not in NOT_OF_INTEREST}
    yield from table(["", ""], [*record["versions"].items(), *facts.items(), *record["facts"].items()])


def points(rows):
    """Each point once, by its time, if a rate is told besides."""
    def key(row):
        return tuple(row[name] for name in ("work", "variant", "bytes", "units", "peer"))

    timed = {key(row) for row in rows if not is_rate(row["unit"])}
    return [row for row in rows if not is_rate(row["unit"]) or key(row) not in timed]


def summary(rows):
    rows = points(rows)
    peers, works = distinct(row["peer"] for row in rows), distinct(row["work"] for row in rows)
    yield "## Summary\n"
    yield "The median of the ratios of all points of a work; in brackets, how many points. Above 1 Tessera is better.\n"

    def cell(work, peer):
        ratios = [row["ratio"] for row in rows if row["peer"] == peer and work in (row["work"], "all")]
        return f"{statistics.median(ratios):.2f} ({len(ratios)})" if ratios else "–"

    yield from table(["work", *peers], [[work, *(cell(work, peer) for peer in peers)] for work in [*works, "all"]])


def cells(row):
    unit = row["unit"]
    return [row["work"], row["variant"], row["bytes"] or "", row["units"],
            f"{row['peer']}, {row['mode']}" if row["mode"] else row["peer"], "more" if is_rate(unit) else "less",
            scaled(row["tessera"], unit), scaled(row["peer_value"], unit),
            f"{row['ratio']:.2f} ({row['ratio_min']:.2f} to {row['ratio_max']:.2f})"]


def figures(rows):
    yield "## Figures\n"
    rounds = max(row["rounds"] for row in rows)
    yield (f"Medians of up to {rounds} rounds. The ratio is taken within each round; in brackets are the smallest and the "
           "largest of the rounds. Above 1 Tessera is better, whether less or more of the value is better.\n")
    yield from table(["work", "variant", "bytes", "units", "peer", "better", "Tessera", "peer's value", "ratio"],
                     map(cells, rows))


def plots(record):
    if record["pictures"]:
        yield "## Pictures\n"
        yield from (f"![{pathlib.Path(path).stem}]({path})" for path in record["pictures"])
        yield ""


def notes(record):
    if record["notes"]:
        yield "## Left out\n"
        yield from (f"* {cell_text(note)}" for note in record["notes"])
        yield ""


def render(record):
    rows = record["rows"]
    parts = (head(record), summary(rows), figures(rows), plots(record), notes(record), machine_table(record))
    return "\n".join(line for part in parts for line in part)


# ---- files ----

def write_report(path, record):
    """NAME.md, and in the folder NAME the rows and the pictures."""
    folder = path.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in record["rows"])
    (folder / "rows.jsonl").write_text(text)
    found = []
    if pictures.is_installed():
        found = pictures.draw_rows(pictures.read_rows(text), folder)
    else:
        record["notes"].append("Pictures: gnuplot is not installed.")
    record["pictures"] = [f"{folder.name}/{picture.name}" for picture in found]
    path.write_text(render(record))


def write_table(path, title, note, headings, rows, watch, program):
    """NAME.md with one table, for commands that compare Tessera with itself. `program`: a tessera-perf that ran."""
    facts = {"Tessera": ours_text(program), **machine.describe(), **watch.facts()}
    parts = ([f"# {title}\n", f"{watch.facts()['date']}, commit `{commit()}`, by\n",
              f"    {launchers.shown([sys.argv[0], *sys.argv[1:]])}\n", f"{note}\n"],
             table(headings, rows), ["## Machine\n"], table(["", ""], facts.items()))
    path.write_text("\n".join(line for part in parts for line in part) + "\n")
