"""Pictures of rows, drawn by gnuplot: time, bandwidth and other values against the size and against the number of
units. For compare, scale-model and tessera-plot, with which this file is installed; so it needs no other file of this folder."""
import json
import re
import shutil
import statistics
import subprocess

OURS = "Tessera"  # as a side of compare's rows
# To what an axis shows.
SCALE = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "GB/s": 1e9, "Mop/s": 1e6, "KiB": 1, "%": 1}
AXES = {"s": ("time", "%cs"), "GB/s": ("bandwidth", "%cB/s"), "Mop/s": ("rate", "%cop/s"), "KiB": ("memory", "KiB"),
        "%": ("share", "%%")}
TICS_MAX = 9  # on the axis of sizes or units
WIDE = 10  # from this ratio of the largest to the smallest value on, an axis is logarithmic


class Line:
    """`points`: (x, y, least, largest). `style`: first, second (result) or limit."""

    def __init__(self, label, colour, style, points):
        self.label, self.colour, self.style, self.points = label, colour, style, sorted(points)


class Picture:
    """`x`: bytes or units. `y`: a key of AXES."""

    def __init__(self, title, x, x_label, y, y_label, lines):
        self.title, self.x, self.x_label, self.y, self.y_label, self.lines = title, x, x_label, y, y_label, lines


# ---- rows ----

def read_rows(text, result=0):
    """The rows of tessera-perf, of a peer or of compare. A row of compare becomes two, one for each side."""
    rows = []
    for line in text.splitlines():
        try:
            row = json.loads(line)
            rows += sides_of(row) if "peer" in row else [side_of(row)]
        except (ValueError, KeyError, TypeError):
            continue
    return [{**row, "result": result} for row in rows]


def side_of(row):
    name = "/".join(text for text in (row["variant"], row.get("mode")) if text)
    return {**row, "side": "", "label": name or row["work"]}


def sides_of(row):
    # Between hosts each peer is compared with Tessera on the same MPI.
    for side, value in (f"{OURS} on {row['ours']}", row["tessera"]), (row["peer"], row["peer_value"]):
        yield {**row, "side": side, "label": side, "value": value, "min": value, "max": value}


def grouped(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


# ---- pictures ----

def is_rate(unit):
    """Whether more is better: GB/s, Mop/s, %, not a time or memory."""
    return unit not in ("ns", "us", "ms", "s", "KiB")


def axis_of(unit):
    return "s" if unit in ("ns", "us", "ms", "s") else unit


def point(x, rows):
    """Of rows that differ in nothing, such as Tessera's beside several peers."""
    scale = SCALE[rows[0]["unit"]]
    return (x, *(scale * statistics.median(row[key] for row in rows) for key in ("value", "min", "max")))


def lines_of(rows, x, names):
    """A line for each side or variant and each result, and for the machine's limit beside the first result."""
    colours = {label: n for n, label in enumerate(dict.fromkeys(row["label"] for row in rows), 1)}
    for (label, result), some in grouped(rows, lambda row: (row["label"], row["result"])).items():
        name = f"{names[result]}: {label}" if len(names) > 1 else label
        by_x = grouped(some, lambda row: row[x])
        yield Line(name, colours[label], "second" if result else "first", [point(at, by_x[at]) for at in by_x])
        limits = {row[x]: SCALE[row["unit"]] * row["limit"] for row in some if row.get("limit")}
        if limits and not result:
            yield Line(f"limit: {label}", colours[label], "limit", [(at, y, y, y) for at, y in limits.items()])


def make(name, title, rows, x, x_label, names):
    """A name for a file, and the picture. None: no line has two points."""
    lines = list(lines_of(rows, x, names))
    if not any(len(line.points) > 1 for line in lines):
        return None
    unit = rows[0]["unit"]
    y_label = f"{AXES[axis_of(unit)][0]} ({'more' if is_rate(unit) else 'less'} is better)"
    return re.sub(r"[^\w.+-]+", "-", name), Picture(title, x, x_label, axis_of(unit), y_label, lines)


def against_bytes(name, title, rows, names):
    for units, some in sorted(grouped(rows, lambda row: row["units"]).items()):
        count = f"{units} unit{'s' * (units > 1)}"
        with_size = [row for row in some if row["bytes"]]
        yield make(f"{name}-{count}", f"{title}, {count}", with_size, "bytes", "size", names)


def against_units(name, title, rows, names):
    """For the smallest and for the largest size."""
    by_size = grouped(rows, lambda row: row["bytes"])
    for size in sorted({min(by_size), max(by_size)}):
        texts = [f"{size} bytes"] if size else []
        yield make("-".join([name, "scaling", *texts]), ", ".join([title, *texts]), by_size[size], "units", "units", names)


def pictures_of(rows, names=("",)):
    """`names`: of the results. A picture has the variants of a work, or both sides of one variant."""
    for (work, variant, unit), some in grouped(rows, lambda row: (row["work"], row["variant"] if row["side"] else "",
                                                                  row["unit"])).items():
        if unit not in SCALE:
            continue
        title = f"{work} {variant}".strip()
        name = f"{title}-{AXES[axis_of(unit)][0]}"
        for one in (*against_bytes(name, title, some, names), *against_units(name, title, some, names)):
            if one:
                yield one


# ---- gnuplot ----

STYLES = {"first": "dt 1 pt 7", "second": "dt 2 pt 6", "limit": "dt 3"}  # points: filled, hollow, none


def is_installed():
    return shutil.which("gnuplot") is not None


def quoted(text):
    return "'" + str(text).replace("'", "''") + "'"


def curve(n, line):
    has_range = any(low < high for _, _, low, high in line.points)
    kind = "lines" if line.style == "limit" else "yerrorlines" if has_range else "linespoints"
    columns = "1:2:3:4" if kind == "yerrorlines" else "1:2"
    return f"$line{n} using {columns} with {kind} lc {line.colour} {STYLES[line.style]} title {quoted(line.label)}"


def size_text(size):
    for shift, name in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if size >= 1 << shift and size % (1 << shift - 3) == 0:
            return f"{size / (1 << shift):g} {name}"
    return f"{size} B"


def x_axis(picture):
    """Logarithmic, with tics at the first and at every n-th of the values that were measured."""
    values = sorted({x for line in picture.lines for x, *_ in line.points})
    shown = values[::-(-len(values) // TICS_MAX)]
    tics = ", ".join(f"{quoted(size_text(x) if picture.x == 'bytes' else x)} {x}" for x in shown)
    return f"set logscale x 2\nset xtics ({tics})\nset offsets graph 0.02, graph 0.02, 0, 0\n"


def y_axis(picture):
    values = [y for line in picture.lines for _, y, _, _ in line.points]
    is_wide = min(values) > 0 and max(values) >= WIDE * min(values)
    number = "%.0f" if picture.y in ("KiB", "%") else "%.0s" if is_wide else "%.1s"
    return f"{'set logscale y' if is_wide else 'set yrange [0:*]'}\nset format y '{number} {AXES[picture.y][1]}'\n"


def script(path, picture):
    data = "".join(f"$line{n} << END\n" + "".join(" ".join(map(str, one)) + "\n" for one in line.points) + "END\n"
                   for n, line in enumerate(picture.lines))
    return (f"reset session\nset terminal pngcairo size 720,480 noenhanced font 'sans,10'\nset output {quoted(path)}\n{data}"
            f"set colorsequence podo\nset grid\nset key below height 1\nset title {quoted(picture.title)}\n"
            f"set xlabel {quoted(picture.x_label)}\nset ylabel {quoted(picture.y_label)}\n{x_axis(picture)}{y_axis(picture)}"
            f"plot {', '.join(curve(n, line) for n, line in enumerate(picture.lines))}\nunset output\n")


def draw(pictures, paths):
    """One PNG for each picture."""
    subprocess.run(["gnuplot"], input="".join(map(script, paths, pictures)), text=True, check=True)


def draw_rows(rows, folder, names=("",)):
    """Writes FOLDER/NAME.png for each picture of the rows. Returns the paths."""
    found = list(pictures_of(rows, names))
    paths = [folder / f"{name}.png" for name, _ in found]
    if found:
        folder.mkdir(parents=True, exist_ok=True)
        draw([picture for _, picture in found], paths)
    return paths
