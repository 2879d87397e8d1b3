"""bench/study: the rows that it makes of what programs print."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("study", str(BENCH / "study"))
study = importlib.util.module_from_spec(importlib.util.spec_from_loader("study", loader))
loader.exec_module(study)

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


if __name__ == "__main__":
    unittest.main()
