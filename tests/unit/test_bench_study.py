"""bench/study: the rows that it makes of what programs print. And what bench/hpcc.py reads of HPCC."""
import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("study", str(BENCH / "study"))
study = importlib.util.module_from_spec(importlib.util.spec_from_loader("study", loader))
loader.exec_module(study)

import hpcc  # noqa: E402
import places  # noqa: E402
import programs  # noqa: E402


class Ratios(unittest.TestCase):
    def test_percentages_below_1_count_as_1(self):
        self.assertEqual(programs.comparable(0, 80, "%"), (1, 80))
        self.assertEqual(programs.comparable(50, 0.3, "%"), (50, 1))

    def test_a_time_of_0_has_no_ratio(self):
        self.assertIsNone(programs.comparable(0, 5, "us"))
        self.assertIsNone(programs.comparable(5, 0, "GB/s"))

    def test_above_1_ours_is_better(self):
        self.assertEqual([programs.ratio_of(2, 4, unit) for unit in ("us", "GB/s")], [2, 0.5])


class Rows(unittest.TestCase):
    def row(self, unit, mine, theirs):
        return study.row_of(("overlap", "plain", 4096, unit), mine, theirs, "overlap_mpi.mpich")

    def test_0_percent_of_ours_is_worse(self):
        row = self.row("%", [0, 0, 90], [80, 80, 80])
        self.assertEqual((row["tessera"], row["ratio"], row["ratio_min"]), (0, 1 / 80, 1 / 80))

    def test_rounds_with_a_time_of_0_do_not_count(self):
        row = self.row("us", [2, 0, 4], [4, 9, 2])
        self.assertEqual((row["ratio"], row["ratio_min"], row["ratio_max"], row["peer"]), (1.25, 0.5, 2, "overlap_mpi.mpich"))

    def test_nothing_to_compare(self):
        row = self.row("us", [0, 0], [4, 9])
        self.assertEqual((row["ratio"], row["peer"]), (0, ""))


SECTION = """Begin of MPIRandomAccess section.
Total Main table size = 2^{bits} = {words} words
PE Main table size = 2^17 = 131072 words/PE
0.018810735 Billion(10^9) Updates    per second [GUP/s]
0.009405368 Billion(10^9) Updates/PE per second [GUP/s]
Found 0 errors in {words} locations ({result}).
End of MPIRandomAccess section.
"""


def section(bits=18, result="passed"):
    return SECTION.format(bits=bits, words=2 ** bits, result=result)


class Hpcc(unittest.TestCase):
    def test_row(self):
        one = hpcc.row_of(section(), 18, 2)
        self.assertEqual((one["work"], one["bytes"], one["value"], one["unit"]), ("random_access.hpcc", 8 << 18, 18.811, "Mop/s"))

    def test_wrong_results_and_tables_fail(self):
        for text in (section(result="failed"), section(bits=17), section()[:100], ""):
            with self.assertRaises(programs.Failed):
                hpcc.row_of(text, 18, 2)

    def test_matrix_gives_the_table(self):
        for bits in range(10, 30):
            elements = hpcc.order_of(bits) ** 2
            self.assertTrue(1.3 * 2 ** bits < elements < 1.6 * 2 ** bits, bits)

    def test_runs_until_the_section_ends(self):
        """The program here writes the section, and would then go on for a minute."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "hpcc"
            program.write_text(f"#!/bin/sh\ngrep -q '^{hpcc.order_of(18)} .*Ns' hpccinf.txt || exit 1\n"
                               f"cat >hpccoutf.txt <<'END'\n{section()}END\nexec sleep 60\n")
            program.chmod(0o755)
            place = places.ThisHost()
            place.command = lambda kind, units, path: [path]
            with mock.patch.object(places.shutil, "which", lambda name: name):
                output = hpcc.launch(place, str(program), "openmpi", 2, ["--bits", "18", "--patterns", "hpcc"], 30)
        self.assertEqual(json.loads(output)["units"], 2)


class Commands(unittest.TestCase):
    def test_a_run_that_never_is_done_ends(self):
        with self.assertRaisesRegex(programs.Failed, "not done after 1 s"):
            programs.run_command(["sleep", "60"], None, 1, is_done=lambda: False)

    def test_a_run_that_ends_before_it_is_done(self):
        self.assertEqual(programs.run_command(["echo", "rows"], None, 30, is_done=lambda: False), "rows\n")


if __name__ == "__main__":
    unittest.main()
