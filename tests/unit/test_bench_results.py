"""bench/pictures.py and bench/results.py: the pictures that are made of rows, the report of bench/compare, and what
tessera-plot says of wrong files."""
import importlib.machinery
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("compare", str(BENCH / "compare"))
compare = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", loader))
loader.exec_module(compare)

import machine  # noqa: E402
import pictures  # noqa: E402
import results  # noqa: E402


def perf_row(size, value, units=2, unit="ns", variant="plain", work="put", **more):
    return {"work": work, "variant": variant, "bytes": size, "units": units, "value": value, "unit": unit, "min": value / 2,
            "max": 2 * value} | more


PERF = [perf_row(8, 20, limit=10, ratio=2), perf_row(4096, 100, limit=80, ratio=1.25), perf_row(4096, 40, unit="GB/s"),
        perf_row(8, 30, variant="it's, other"), perf_row(4096, 50, variant="it's, other"),
        perf_row(0, 500, work="barrier"), perf_row(0, 900, work="barrier", units=4), perf_row(0, 3, work="memory", unit="KiB")]


def compared(peer, size, ours, theirs, **more):
    return {"work": "put", "variant": "plain", "bytes": size, "units": 2, "peer": peer, "mode": "", "tessera": ours,
            "peer_value": theirs, "unit": "ns", "better": "less", "ours": "mpich", "ratio": theirs / ours,
            "ratio_min": theirs / ours / 2, "ratio_max": theirs / ours * 2, "rounds": 3} | more


COMPARED = [compared("mpich", 8, 10, 20, mode="shared"), compared("openmpi", 8, 14, 14), compared("mpich", 4096, 100, 50),
            compared("openmpi", 4096, 100, 300)]


def text_of(rows):
    return "noise\n" + "".join(json.dumps(row) + "\n" for row in rows)


def found(*files, names=("",)):
    rows = [row for n, rows in enumerate(files) for row in pictures.read_rows(text_of(rows), n)]
    return dict(pictures.pictures_of(rows, names))


class Pictures(unittest.TestCase):
    def test_what_has_two_sizes_or_numbers_of_units(self):
        self.assertEqual(list(found(PERF)), ["put-time-2-units", "barrier-time-scaling"])
        more = found([*PERF, perf_row(8, 25, units=4), perf_row(4096, 99, units=4)])
        self.assertEqual([name for name in more if "put" in name], ["put-time-2-units", "put-time-4-units",
                         "put-time-scaling-8-bytes", "put-time-scaling-4096-bytes"])

    def test_lines_with_range_and_limit(self):
        lines = found(PERF)["put-time-2-units"].lines
        self.assertEqual([(line.label, line.style, line.colour) for line in lines],
                         [("plain", "first", 1), ("limit: plain", "limit", 1), ("it's, other", "first", 2)])
        (x, y, low, high), _ = lines[0].points
        self.assertEqual([x, *(round(1e9 * value, 6) for value in (y, low, high))], [8, 20, 10, 40])

    def test_second_result_beside_the_first(self):
        lines = found(PERF, PERF, names=("old", "new"))["put-time-2-units"].lines
        self.assertEqual([(line.label, line.style, line.colour) for line in lines if "plain" in line.label],
                         [("old: plain", "first", 1), ("limit: plain", "limit", 1), ("new: plain", "second", 1)])

    def test_both_sides_of_a_comparison(self):
        (name, picture), = found(COMPARED).items()
        self.assertEqual(name, "put-plain-time-2-units")
        self.assertEqual([line.label for line in picture.lines], ["Tessera on mpich", "mpich", "openmpi"])
        self.assertEqual(round(1e9 * picture.lines[0].points[0][1], 6), 12)  # between its two values

    def test_script(self):
        text = pictures.script("a.png", found([*PERF, perf_row(1 << 20, 9000)])["put-time-2-units"])
        for part in ("'a.png'", "set logscale y\n", "%.0s %cs'", "'8 B' 8, '4 KiB' 4096, '1 MiB' 1048576", "'it''s, other'",
                     "'time (less is better)'", "with yerrorlines lc 1 dt 1", "with lines lc 1 dt 3"):
            self.assertIn(part, text)
        self.assertIn("set yrange [0:*]", pictures.script("a.png", found(PERF)["barrier-time-scaling"]))

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is missing")
    def test_gnuplot_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows"
            file.write_text(text_of(PERF))
            said = subprocess.run([sys.executable, "-B", BENCH / "plot.py", file, file, "--output", f"{folder}/out"], check=True,
                                  capture_output=True, text=True)
            self.assertEqual(said.stderr, "")
            for path in said.stdout.splitlines():
                self.assertEqual(pathlib.Path(path).read_bytes()[1:4], b"PNG")

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is missing")
    def test_wrong_files_are_named(self):
        for rows, why in (([], "has no rows"), (PERF[:1], "nothing to draw")):
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(text_of(rows))
                file.flush()
                said = subprocess.run([sys.executable, "-B", BENCH / "plot.py", file.name, "--output", "/nowhere"], capture_output=True, text=True)
                self.assertEqual(said.returncode, 1)
                self.assertIn(why, said.stderr)


RECORD = {"title": "first", "commit": "abc-dirty", "command": "compare --build b", "environment": {"UCX_TLS": "tcp"},
          "facts": {"date": "2026-11-27 03:00 UTC", "steal time": "0.50 % of the time of all processors"},
          "machine": {"host": "secret", "processor": "P", "caches": "L1 48K, for CPU 0"},
          "versions": {"mpich": "mpi_rma on Hydra 4.0.2"}, "notes": ["oshmem skipped: a|b"], "rows": COMPARED}


class Report(unittest.TestCase):
    def written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "first.md"
            results.write_report(path, {**RECORD, "notes": list(RECORD["notes"])})
            rows = [json.loads(line) for line in (path.parent / "first" / "rows.jsonl").read_text().splitlines()]
            return path.read_text().splitlines(), rows, sorted(file.name for file in (path.parent / "first").iterdir())

    def test_tables(self):
        lines, rows, _ = self.written()
        self.assertEqual(rows, COMPARED)
        for line in ("# first", "2026-11-27 03:00 UTC, commit `abc-dirty`, by", "    compare --build b",
                     "| put | 1.25 (2) | 2.00 (2) |",
                     "| put | plain | 8 | 2 | mpich, shared | less | 10.00 ns | 20.00 ns | 2.00 (1.00 to 4.00) |",
                     "| mpich | mpi_rma on Hydra 4.0.2 |", "| caches | L1 48K, for CPU 0 |", "* oshmem skipped: a\\|b",
                     "| steal time | 0.50 % of the time of all processors |"):
            self.assertIn(line, lines)
        self.assertNotIn("secret", "\n".join(lines))

    def test_summary_has_each_point_once(self):
        rates = [compared("mpich", 4096, 9, 1, unit="GB/s", mode="shared"), compared("mpich", 1 << 20, 9, 1, unit="GB/s")]
        self.assertIn("| put | 0.50 (3) | 2.00 (2) |", results.summary([*COMPARED, *rates]))

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is missing")
    def test_pictures(self):
        lines, _, files = self.written()
        self.assertIn("![put-plain-time-2-units](first/put-plain-time-2-units.png)", lines)
        self.assertEqual(files, ["put-plain-time-2-units.png", "rows.jsonl"])

    def test_without_gnuplot(self):
        with mock.patch.object(pictures, "is_installed", lambda: False):
            self.assertIn("* Pictures: gnuplot is not installed.", self.written()[0])

    def test_steal_time_of_the_run(self):
        with mock.patch.object(machine, "processor_times", mock.Mock(side_effect=[(1000, 10), (1400, 20)])):
            self.assertEqual(results.Watch().facts()["steal time"], "2.50 % of the time of all processors")

    def test_build_type(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "tools" / "tessera-perf"
            self.assertEqual(results.build_type(program), "")
            (pathlib.Path(folder) / "CMakeCache.txt").write_text("CMAKE_BUILD_TYPE:STRING=Release\n")
            self.assertEqual(results.build_type(program), "Release")


class Compare(unittest.TestCase):
    def test_rows_say_what_is_better(self):
        peer = compare.Peer("openmpi", "/p")
        peer.ours = ("/b/tessera-perf", "mpich")
        for unit in ("ns", "GB/s"):
            peer.add(2, {("put", "plain", 8, unit): [("", 10)]}, {("put", "plain", 8, unit): [("shared", 20)]})
        rows = list(peer.results())
        self.assertEqual([(row["better"], row["ratio"], row["ours"]) for row in rows],
                         [("less", 2, "mpich"), ("more", 0.5, "mpich")])

    def test_percentages_below_1_count_as_1(self):
        peer = compare.Peer("openmpi", "/p")
        peer.ours = ("/b/tessera-perf", "mpich")
        peer.add(2, {("overlap.put", "plain", 8, "%"): [("", 0)]}, {("overlap.put", "plain", 8, "%"): [("", 40)]})
        self.assertEqual([row["ratio"] for row in peer.results()], [0.025])


if __name__ == "__main__":
    unittest.main()
