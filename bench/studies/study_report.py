"""The part of a report that one study writes. The other parts of the file stay as they are."""
import json
import pathlib
import re

import machine
import model
import pictures
from programs import scaled
from report import cell_text, table
from studies import aims

INTRODUCTION = """# The studies, run again

Five published studies are the origin of this library. Each part of this page is written by a run of `bench/study`, from programs
in `bench/studies/`. A ratio is taken within each round; the tables show its median, and the range over the rounds in brackets.
Above 1 Tessera is better, or the second of two ways of ours is better than the first. What these programs do and how to run
them is told in [bench/studies/README.md](../../bench/studies/README.md).
"""
PLACE_NAMES = {"node": "one node", "virtual": "2 virtual nodes", "hosts": "2 hosts"}
MEASURED = pathlib.Path(__file__).resolve().parents[1] / "scale" / "measured.rows"  # the parameters of scale-model


def judgement(row, study):
    aim = aims.aim_of(row, study.AIMS)
    return f"{aim['least']:g}: {'met' if row['ratio'] >= aim['least'] else 'missed'}" if aim else ""


def ratio_text(row):
    return f"{row['ratio']:.2f} ({row['ratio_min']:.2f} to {row['ratio_max']:.2f})" if row["peer"] else ""


def cells(row, study):
    unit = row["unit"]
    return [PLACE_NAMES[row["place"]], row["ours"], row["units"], row["work"], row["variant"], row["bytes"] or "", row["better"],
            scaled(row["tessera"], unit), row["peer"], scaled(row["peer_value"], unit) if row["peer"] else "", ratio_text(row),
            judgement(row, study)]


def case_part(study, case, rows):
    yield f"### {case['name']}\n"
    yield f"{case['what']}\n"
    if not rows:
        yield "This run has no rows of it.\n"
        return
    heads = ["place", "MPI", "units", "work", "variant", "bytes", "better", "Tessera", "peer", "its value", "ratio", "aim"]
    yield from table(heads, [cells(row, study) for row in rows])


def aims_part(verdicts):
    if verdicts:
        yield "### Aims\n"
        yield ("The ratio that a run is to have in every configuration, and the one that this run has in its worst: medians of the "
               "rounds.\n")
        yield from table(["aim", "at least", "this run", ""],
                         [[verdict.aim["what"], f"{verdict.aim['least']:g}", aims.value_text(verdict, PLACE_NAMES),
                           aims.outcome(verdict)] for verdict in verdicts])


def misses_part(study, verdicts):
    missed = [verdict.aim for verdict in verdicts if verdict.is_met is False]
    if missed:
        yield "### Why aims are missed\n"
        yield from (f"* {aim['what']}: {study.MISSES[aim['name']] or 'the reason is not known yet.'}" for aim in missed)
        yield ""


def limits_part(study):
    yield "### What cannot be repeated here\n"
    yield from (f"* {text}" for text in study.LIMITS)
    yield ""
    if study.PREDICTED:
        yield from predicted_part(**study.PREDICTED)


def predicted_part(per_node, units):
    """What scale-model says of this library on more nodes."""
    machine_of_rows = model.Machine([json.loads(line) for line in MEASURED.read_text().splitlines() if line.startswith("{")])
    yield (f"`bench/scale-model` predicts for Tessera with {per_node} units on each node, each with its own core, from "
           "measurements on this kind of machine and between hosts that are namespaces of it:\n")
    yield from table(["units", "nodes", "barrier", "allreduce 8 B", "allreduce 1 MiB"],
                     [[units, nodes, *(f"{time / 1e3:.1f} us" for time in times)]
                      for units, nodes, *times in model.predictions(machine_of_rows, per_node, units)])


def part(name, study, record, found):
    rows, facts = record["rows"], machine.describe()
    verdicts = [aims.judge(aim, rows) for aim in study.AIMS]
    yield f"## {study.TITLE}\n"
    yield "The study reported:\n"
    yield from (f"* {headline}" for headline in study.HEADLINES)
    yield f"\n{record['facts']['date']}, commit `{record['commit']}`, {facts['processor']}, {facts['cores']} cores, by\n"
    yield f"    {record['command']}\n"
    yield (f"It took {record['facts']['duration']}; the load at the start was {record['facts']['load average at the start']}, the "
           f"steal time {record['facts']['steal time']}.\n")
    if record["quick"]:
        yield "This was a quick run, with small sizes and one round: its figures show only that the programs run.\n"
    yield from aims_part(verdicts)
    for case in study.CASES:
        yield from case_part(study, case, [row for row in rows if row["case"] == case["name"]])
    yield from misses_part(study, verdicts)
    yield from limits_part(study)
    if found:
        yield from (f"![{picture.stem}](studies/{name}/{picture.name})" for picture in found)
        yield ""
    if record["notes"]:
        yield "Left out:\n"
        yield from (f"* {cell_text(note)}" for note in record["notes"])
        yield ""


# ---- pictures ----

def sides(row):
    """For pictures.py: a row becomes one for each side."""
    both = [(f"Tessera on {row['ours']}", row["tessera"])]
    if row["peer"]:
        both.append((row["peer"], row["peer_value"]))
    for side, value in both:
        yield {**row, "work": f"{row['work']} ({PLACE_NAMES[row['place']]})", "side": side, "label": side, "value": value,
               "min": value, "max": value, "result": 0}


def chosen(study, rows):
    """Those of the pictures that the study wants: each of a case, a work and a variant."""
    return [row for row in rows if (row["case"], row["work"], row["variant"]) in study.PICTURES]


def draw(rows, folder):
    if not pictures.is_installed():
        return []
    for old in folder.glob("*.png"):
        old.unlink()
    return pictures.draw_rows([side for row in rows for side in sides(row)], folder)


# ---- files ----

def replaced(text, name, new):
    """The text with this study's part changed, or added at the end."""
    marked = f"<!-- {name} -->\n{new}\n<!-- end of {name} -->\n"
    pattern = re.compile(rf"<!-- {re.escape(name)} -->\n.*?<!-- end of {re.escape(name)} -->\n", re.DOTALL)
    if pattern.search(text):
        return pattern.sub(lambda _: marked, text)
    return f"{text.rstrip()}\n\n{marked}"


def write(path, name, study, record):
    folder = path.with_suffix("") / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in record["rows"]))
    found = draw(record["rows"] if record["pictures"] else chosen(study, record["rows"]), folder)
    new = "\n".join(part(name, study, record, found))
    path.write_text(replaced(path.read_text() if path.exists() else INTRODUCTION, name, new))
