"""The part of a report that one study writes. The other parts of the file stay as they are."""
import json
import re

import machine
import pictures
from programs import scaled
from report import cell_text, table

INTRODUCTION = """# The studies, run again

Five published studies are the origin of this library. Each part of this page is written by a run of `bench/study`, from programs
in `bench/studies/`. A ratio is taken within each round; the tables show its median, and the range over the rounds in brackets.
Above 1 Tessera is better, or the second of two ways of ours is better than the first. What these programs do and how to run
them is told in [bench/studies/README.md](../../bench/studies/README.md).
"""
PLACE_NAMES = {"node": "one node", "virtual": "2 virtual nodes", "hosts": "2 hosts"}


def aim_of(row, case):
    """What the issue asks of a row; None: nothing. Aims hold for ratios, not for our ways of doing the same work."""
    aims = case.get("aim", {})
    names = f"{row['work']} {row['variant']}", row["work"], row["work"].split(".")[0]
    return next((aims[name] for name in names if name in aims), None)


def judgement(row, case):
    aim = aim_of(row, case)
    if aim is None or not row["peer"]:
        return ""
    return f"{aim:g}: {'reached' if row['ratio'] >= aim else 'missed'}"


def ratio_text(row):
    return f"{row['ratio']:.2f} ({row['ratio_min']:.2f} to {row['ratio_max']:.2f})" if row["peer"] else ""


def cells(row, case):
    unit = row["unit"]
    return [PLACE_NAMES[row["place"]], row["ours"], row["units"], row["work"], row["variant"], row["bytes"] or "", row["better"],
            scaled(row["tessera"], unit), row["peer"], scaled(row["peer_value"], unit) if row["peer"] else "", ratio_text(row),
            judgement(row, case)]


def case_part(case, rows):
    yield f"### {case['name']}\n"
    yield f"{case['what']}\n"
    if not rows:
        yield "This run has no rows of it.\n"
        return
    yield from table(["place", "MPI", "units", "work", "variant", "bytes", "better", "Tessera", "peer", "its value", "ratio", "aim"],
                     [cells(row, case) for row in rows])


def part(name, study, record, found):
    rows, facts = record["rows"], machine.describe()
    yield f"## {study.TITLE}\n"
    yield "The study reported:\n"
    yield from (f"* {headline}" for headline in study.HEADLINES)
    yield f"\n{record['facts']['date']}, commit `{record['commit']}`, {facts['processor']}, {facts['cores']} cores, by\n"
    yield f"    {record['command']}\n"
    yield (f"It took {record['facts']['duration']}; the load at the start was {record['facts']['load average at the start']}, the "
           f"steal time {record['facts']['steal time']}.\n")
    if record["quick"]:
        yield "This was a quick run, with small sizes and one round: its figures show only that the programs run.\n"
    for case in study.CASES:
        yield from case_part(case, [row for row in rows if row["case"] == case["name"]])
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
    found = draw(record["rows"], folder) if record["pictures"] else []
    new = "\n".join(part(name, study, record, found))
    path.write_text(replaced(path.read_text() if path.exists() else INTRODUCTION, name, new))
