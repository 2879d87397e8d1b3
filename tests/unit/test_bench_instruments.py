"""bench/instruments: what it computes from the times of its runs, and which build directories it takes."""
import argparse
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
loader = importlib.machinery.SourceFileLoader("instruments", str(BENCH / "instruments"))
instruments = importlib.util.module_from_spec(importlib.util.spec_from_loader("instruments", loader))
loader.exec_module(instruments)

CACHE = """CMAKE_BUILD_TYPE:STRING=Release
CMAKE_HOME_DIRECTORY:INTERNAL=/sources
CMAKE_GENERATOR:INTERNAL=Ninja
TESSERA_MPI:STRING=openmpi
TESSERA_MPI-STRINGS:INTERNAL=mpich;openmpi
TESSERA_INSTRUMENTS:BOOL=%s
CMAKE_INSTALL_PREFIX:PATH=/usr/local
"""
WITH, WITHOUT = ("with", "mpich"), ("without", "mpich")


def printed(value):
    row = {"work": "barrier", "variant": "plain", "bytes": 0, "units": 2, "unit": "ns", "value": 2 * value, "min": value, "max": 9}
    return "\n".join(json.dumps(one) for one in (row, {**row, "unit": "GB/s"}))


class Ratios(unittest.TestCase):
    def test_ratio_is_of_the_mean_of_both_runs(self):
        """Rounds of 110, 100, 112 and 101, 100, 101 ns."""
        said = [printed(value) for value in (110, 100, 112, 101, 100, 101)]
        options = argparse.Namespace(rounds=2, seconds=0.01, reps=1, timeout=1)
        with mock.patch.object(instruments, "launch", side_effect=said) as launch:
            points = instruments.points(WITH, WITHOUT, "barrier", options)
        self.assertEqual([call.args[1] for call in launch.call_args_list], ["with", "without", "with"] * 2)
        self.assertEqual({call.args[6]["TESSERA_CHECK"] for call in launch.call_args_list}, {"0"})
        (key, times), = points.items()
        self.assertEqual(instruments.cells(key, times), ["barrier plain", "0", "100.00 ns", "106.00 ns", "1.060 (1.010 to 1.110)",
                                                         "1.009 (1.000 to 1.018)"])


class Builds(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def build(self, name, value):
        folder = self.folder / name
        folder.mkdir()
        (folder / "CMakeCache.txt").write_text(CACHE % value)
        return folder

    def test_other_build_has_the_same_settings(self):
        with mock.patch.object(instruments, "run_command") as run:
            instruments.configure_without(self.build("a", "ON"), self.folder / "b")
        command = run.call_args.args[0]
        self.assertEqual(command[:7], ["cmake", "-S", "/sources", "-B", self.folder / "b", "-G", "Ninja"])
        self.assertEqual([word for word in command[7:] if word.startswith(("-DCMAKE", "-DTESSERA_M"))],
                         ["-DCMAKE_BUILD_TYPE:STRING=Release", "-DTESSERA_MPI:STRING=openmpi"])
        self.assertLess(command.index("-DTESSERA_INSTRUMENTS:BOOL=ON"), command.index("-DTESSERA_INSTRUMENTS=OFF"))

    def test_wrong_build(self):
        with_them, without = self.build("a", "ON"), self.build("b", "OFF")
        pairs = ((without, with_them), "b is built without instruments"), ((with_them, with_them), "a is built with instruments")
        for builds, said in pairs:
            with self.assertRaisesRegex(SystemExit, said):
                instruments.builds(argparse.Namespace(build=builds[0], without=builds[1]))
        with self.assertRaisesRegex(SystemExit, "configure it first"):
            instruments.builds(argparse.Namespace(build=self.folder, without=self.folder))


if __name__ == "__main__":
    unittest.main()
