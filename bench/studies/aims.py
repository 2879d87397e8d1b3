"""Whether a run reaches what it aims at. An aim of study.py's list AIMS is a dictionary:

  name    by which MISSES names it
  what    in one line
  least   the ratio that every configuration has to have
  rows    a function that says whether a row is one of its configurations
  any     optional, a field of rows: one value of it, such as one place, in which every configuration has the ratio will do
  none    optional: why a run may have no such row
"""
import collections
import statistics

Verdict = collections.namedtuple("Verdict", "aim rows worst is_met")  # worst: a row; None with no rows, and is_met then, too


def is_of(row, aim):
    return bool(row["peer"]) and aim["rows"](row)


def aim_of(row, aims):
    """The aim of which a row is a configuration, or None."""
    return next((aim for aim in aims if is_of(row, aim)), None)


def has_free_core(row):
    """Whether each unit and each agent may have a core of its own."""
    return row["units"] + row["agents"] <= row["cores"]


def ratio(row):
    return row["ratio"]


def judge(aim, rows):
    """Of several groups (`any`) the best one counts, of its rows the worst."""
    groups = {}
    for row in rows:
        if is_of(row, aim):
            groups.setdefault(row[aim["any"]] if "any" in aim else "", []).append(row)
    if not groups:
        return Verdict(aim, [], None, None)
    best = max(groups.values(), key=lambda group: min(map(ratio, group)))
    worst = min(best, key=ratio)
    return Verdict(aim, best, worst, worst["ratio"] >= aim["least"])


def value_text(verdict, place_names):
    """The worst configuration and which it is; the median of all of them."""
    if not verdict.rows:
        return ": ".join(["not measured", *([verdict.aim["none"]] if "none" in verdict.aim else [])])
    row, n = verdict.worst, len(verdict.rows)
    size = f", {row['bytes']} bytes" if row["bytes"] else ""
    where = f"{row['case']}, {place_names[row['place']]}, {row['ours']}, {row['units']} units{size}"
    if n == 1:
        return f"{row['ratio']:.2f} ({where})"
    return f"at worst {row['ratio']:.2f} ({where}); median of {n} configurations {statistics.median(map(ratio, verdict.rows)):.2f}"


def outcome(verdict):
    return "–" if verdict.is_met is None else "met" if verdict.is_met else "missed"
