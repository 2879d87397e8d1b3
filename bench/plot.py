"""tessera-plot: draws results as pictures. packaging/tessera-plot.in starts it."""
import argparse
import pathlib
import sys

import pictures

HELP = """Draws time, bandwidth and other values against the size and the number of units, with gnuplot.

RESULT holds the JSON rows that tessera-perf or bench/compare printed, of one run or of several. The limits of the machine
are dotted lines. SECOND is drawn in the same pictures, with broken lines and hollow points."""


def fail(text):
    sys.exit(f"tessera-plot: {text}")


def read(path, result):
    try:
        rows = pictures.read_rows(path.read_text(), result)
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except UnicodeDecodeError:
        rows = []
    if not rows:
        fail(f"{path} has no rows: it is to be the output of tessera-perf --json or bench/compare --json")
    return rows


def parse():
    parser = argparse.ArgumentParser(prog="tessera-plot", description=HELP, add_help=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", type=pathlib.Path, metavar="RESULT")
    parser.add_argument("second", type=pathlib.Path, nargs="?", metavar="SECOND")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FOLDER", help="for the pictures; made if missing")
    parser.add_argument("--help", action="help", help="print this text")
    return parser.parse_args()


def main():
    options = parse()
    if not pictures.is_installed():
        fail("gnuplot is missing (Debian: gnuplot-nox)")
    files = [path for path in (options.result, options.second) if path]
    rows = [row for n, path in enumerate(files) for row in read(path, n)]
    names = [path.stem for path in files]
    try:
        paths = pictures.draw_rows(rows, options.output, names if len(set(names)) == len(names) else list(map(str, files)))
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    if not paths:
        fail("no work has rows of two sizes or of two numbers of units: there is nothing to draw")
    print("\n".join(map(str, paths)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
