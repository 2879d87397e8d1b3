"""bench/study: which programs it runs, the rows that it makes of what they print, whether aims are met, and the report. And what
bench/hpcc.py reads of HPCC."""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import types
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
from studies import aims, study_report  # noqa: E402


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

    def test_best_mode_of_a_peer(self):
        values = study.Values()
        values.add("p", printed(8, "ns", mode="allocate") + printed(5, "ns", mode="shared") + printed(3, "GB/s", mode="allocate") +
                   printed(7, "GB/s", mode="shared"))
        self.assertEqual([rounds for rounds in values.sides["p"].values()], [[5], [7]])


def printed(value, unit="us", work="put", **more):
    """A line of a program's output."""
    return json.dumps({"work": work, "variant": "plain", "bytes": 8, "units": 2, "value": value, "min": value, "max": value,
                       "unit": unit, **more}) + "\n"


class Runs(unittest.TestCase):
    """Runs of a case without its programs: `outputs` says for each what its runs print, or an exception."""

    case = {"name": "transfers", "ours": "perf", "peer": ["mpi_rma", "shmem"], "places": ["node", "virtual", "hosts"]}

    def setUp(self):
        self.options = types.SimpleNamespace(build=["b"], rounds=2, quick=False, timeout=9, notes=[], has_failed=False,
                                             name="transfers", mpis=["mpich", "openmpi"], places=["node"])
        self.outputs = {}
        self.launched = []
        programs_there = {"perf": ("mpich", "openmpi"), "mpi_rma.mpich": ("mpich",), "mpi_rma.openmpi": ("openmpi",),
                          "shmem.oshmem": ("oshmem",)}

        def find(_, file, kind):
            return f"/{kind}/{file}" if kind in programs_there.get(file, ()) else None

        def launch(_, path, kind, *__):
            self.launched.append(path)
            output = self.outputs[pathlib.Path(path).name].pop(0)
            if isinstance(output, Exception):
                raise output
            return output

        quiet = mock.Mock()
        for patch in (mock.patch.object(study, "find", find), mock.patch.object(study, "launch", launch),
                      mock.patch.object(study, "say", quiet), mock.patch.object(sys, "stderr", quiet)):
            patch.start()
            self.addCleanup(patch.stop)

    def run_point(self, mpi, place_name="node", **changes):
        point = study.Point({**self.case, **changes}, place_name, study.ThisHost(), mpi, 2)
        return study.run_point(point, self.options)

    def peers(self, mpi, place_name):
        point = study.Point(self.case, place_name, study.ThisHost(), mpi, 2)
        return [side.name for side in study.peers_of(point, self.options)]

    def test_openshmem_beside_both_mpis(self):
        self.assertEqual(self.peers("mpich", "node"), ["mpi_rma.mpich", "shmem.oshmem"])
        self.assertEqual(self.peers("openmpi", "node"), ["mpi_rma.openmpi", "shmem.oshmem"])
        self.assertEqual(self.peers("openmpi", "hosts"), ["mpi_rma.openmpi", "shmem.oshmem"])
        self.assertEqual(self.options.notes, [])

    def test_between_hosts_both_use_the_same_mpi(self):
        self.assertEqual(self.peers("mpich", "hosts"), ["mpi_rma.mpich"])
        self.assertEqual(self.options.notes, ["transfers, 2 hosts: no program shmem for mpich"])

    def test_virtual_nodes_have_no_peers(self):
        self.assertEqual(self.peers("mpich", "virtual"), [])

    def test_rounds_that_a_case_wants(self):
        case = {**self.case, "rounds": {2: 7}}
        two, four = (study.Point(case, "node", study.ThisHost(), "mpich", units) for units in (2, 4))
        self.assertEqual(study.rounds_of(two, self.options), 2)
        self.options.rounds = None
        self.assertEqual([study.rounds_of(point, self.options) for point in (two, four)], [7, study.ROUNDS])

    def test_failure_of_ours_is_noted_and_the_rounds_before_it_count(self):
        self.outputs = {"perf": [printed(2), programs.Failed("exit code 1: TSR-0001", "", "TSR-0001\n")],
                        "mpi_rma.mpich": [printed(4)] * 2, "shmem.oshmem": [printed(6)] * 2}
        rows = self.run_point("mpich")
        self.assertEqual([(row["peer"], row["ratio"], row["rounds"]) for row in rows],
                         [("mpi_rma.mpich", 2, 1), ("shmem.oshmem", 3, 1)])
        self.assertTrue(self.options.has_failed)
        self.assertEqual(self.options.notes, ["failed: transfers, one node, mpich, 2 units: perf: exit code 1: TSR-0001"])

    def test_failure_of_a_peer_leaves_it_out(self):
        self.outputs = {"perf": [printed(2)] * 2, "mpi_rma.mpich": [programs.Failed("exit code 6: none", "", "")],
                        "shmem.oshmem": [printed(6)] * 2}
        self.assertEqual([row["peer"] for row in self.run_point("mpich")], ["shmem.oshmem"])
        self.assertFalse(self.options.has_failed)
        self.assertEqual(self.options.notes, ["failed: transfers, one node, mpich, 2 units: mpi_rma.mpich: exit code 6: none"])

    def test_study_goes_on_after_a_failure(self):
        self.outputs = {"perf": [programs.Failed("exit code 1: none", "", ""), printed(2), printed(2)],
                        "mpi_rma.openmpi": [printed(4)] * 2, "shmem.oshmem": [printed(4)] * 2}
        rows = list(study.run_study(types.SimpleNamespace(CASES=[self.case]), self.options))
        self.assertEqual([(row["ours"], row["peer"]) for row in rows],
                         [("openmpi", "mpi_rma.openmpi"), ("openmpi", "shmem.oshmem")])

    def test_impossible_hosts_are_noted(self):
        self.options.places = ["hosts"]
        with mock.patch.dict(study.PLACES, hosts=mock.Mock(side_effect=SystemExit("study: hosts are not possible here"))):
            self.assertEqual(list(study.run_study(types.SimpleNamespace(CASES=[self.case]), self.options)), [])
        self.assertEqual(self.options.notes, ["2 hosts: study: hosts are not possible here"])

    def test_arguments_of_each_side(self):
        case = {"arguments": ["a"], "quick": ["q"], "peer_arguments": ["p"], "peer_quick": ["pq"]}
        point = study.Point(case, "node", study.ThisHost(), "mpich", 2)
        sides = [study.Side("perf", "/perf", "mpich", is_ours=ours) for ours in (True, False)]
        self.assertEqual([study.arguments_of(side, point, self.options) for side in sides], [["a"], ["p"]])
        self.options.quick = True
        self.assertEqual([study.arguments_of(side, point, self.options) for side in sides], [["q"], ["pq"]])

    def test_agents(self):
        def agents(place_name, **environment):
            return study.agents_of(study.Point({"environment": environment}, place_name, None, "mpich", 2))

        with mock.patch.dict(study.os.environ):
            study.os.environ.pop("TESSERA_PROGRESS", None)
            self.assertEqual([agents("node"), agents("hosts"), agents("hosts", TESSERA_PROGRESS="none"),
                              agents("node", TESSERA_PROGRESS="process:1"), agents("hosts", TESSERA_PROGRESS="process:2")],
                             [0, 2, 0, 1, 4])


AIM = {"name": "halo", "what": "Halo", "least": 1.4, "rows": lambda row: row["work"] == "halo"}


def row(ratio, place="node", peer="mpi.mpich", **more):
    return {"case": "heat", "place": place, "ours": "mpich", "units": 2, "work": "halo", "variant": "plain", "bytes": 0,
            "unit": "us", "peer": peer, "better": "less", "tessera": 1, "peer_value": ratio, "ratio": ratio, "ratio_min": ratio,
            "ratio_max": ratio, "agents": 0, "cores": 2, "rounds": 3, **more}


class Aims(unittest.TestCase):
    def judged(self, rows, **more):
        verdict = aims.judge({**AIM, **more}, rows)
        return aims.value_text(verdict, study_report.PLACE_NAMES), aims.outcome(verdict)

    def test_every_configuration_counts(self):
        self.assertEqual(self.judged([row(2), row(1.3, units=4), row(9)]),
                         ("at worst 1.30 (heat, one node, mpich, 4 units); median of 3 configurations 2.00", "missed"))
        self.assertEqual(self.judged([row(1.4, bytes=64)]), ("1.40 (heat, one node, mpich, 2 units, 64 bytes)", "met"))

    def test_one_place_is_enough_if_the_aim_says_so(self):
        rows = [row(1), row(1.5, place="hosts"), row(1.6, place="hosts")]
        self.assertEqual(self.judged(rows, any="place"),
                         ("at worst 1.50 (heat, 2 hosts, mpich, 2 units); median of 2 configurations 1.55", "met"))
        self.assertEqual(self.judged(rows)[1], "missed")

    def test_rows_that_do_not_count(self):
        self.assertEqual(self.judged([row(0, peer=""), row(1, work="whole")], none="no row"), ("not measured: no row", "–"))

    def test_free_core(self):
        self.assertEqual([aims.has_free_core(row(1, agents=agents, cores=3)) for agents in (1, 2)], [True, False])

    def test_each_aim_of_the_studies_has_a_place_for_the_reason(self):
        for name in study.names():
            one = study.load(name)
            self.assertEqual({aim["name"] for aim in one.AIMS}, set(one.MISSES))
            self.assertTrue(one.LIMITS)
            self.assertLessEqual({case for case, _, _ in one.PICTURES}, {case["name"] for case in one.CASES})
            works = [work for _, work, _ in one.PICTURES]
            self.assertTrue(works)
            self.assertEqual(len(works), len(set(works))) # a picture does not tell cases apart
            self.assertIsNone(aims.aim_of(row(1, work="put"), one.AIMS))


class Report(unittest.TestCase):
    one = types.SimpleNamespace(
        TITLE="Heat", HEADLINES=["1.38"], AIMS=[AIM], MISSES={"halo": "The barrier."}, LIMITS=["A network."], PICTURES=[],
        PREDICTED={"per_node": 64, "units": [2, 128]}, CASES=[{"name": "heat", "what": "Halo."}, {"name": "more", "what": "More."}])

    def written(self, rows, quick=False, **changes):
        record = {"commit": "abc", "command": "study", "notes": ["failed: a|b"], "rows": rows, "pictures": False, "quick": quick,
                  "facts": {"date": "today", "duration": "1 s", "load average at the start": "0", "steal time": "0 %"}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "studies.md"
            path.write_text("# Studies\n\n<!-- heat -->\nold\n<!-- end of heat -->\n\nother\n")
            study_report.write(path, "heat", types.SimpleNamespace(**{**vars(self.one), **changes}), record)
            return path.read_text()

    def test_parts(self):
        text = self.written([row(1.2)])
        for part in ("| Halo | 1.4 | 1.20 (heat, one node, mpich, 2 units) | missed |",
                     "| one node | mpich | 2 | halo | plain |  | less | 1.00 us | mpi.mpich | 1.20 us | 1.20 (1.20 to 1.20) |",
                     "(1.20 to 1.20) | 1.4: missed |",
                     "### Why aims are missed\n\n* Halo: The barrier.\n", "### What cannot be repeated here\n\n* A network.\n",
                     "with 64 units on each node", "| 128 | 2 | ", "### more\n\nMore.\n\nThis run has no rows of it.\n", "* failed: a\\|b\n",
                     "# Studies\n\n<!-- heat -->\n## Heat\n", "<!-- end of heat -->\n\nother\n"):
            self.assertIn(part, text)
        self.assertNotIn("quick run", text)
        self.assertNotIn("old", text)

    def test_pictures_of_some_rows(self):
        wanted = types.SimpleNamespace(PICTURES=[("heat", "halo", "plain")])
        self.assertEqual(study_report.chosen(wanted, [row(1), row(1, work="whole"), row(1, case="more")]), [row(1)])

    def test_met_aims_need_no_reason(self):
        self.assertNotIn("Why aims are missed", self.written([row(1.5)]))

    def test_reasons_that_are_not_known(self):
        self.assertIn("* Halo: the reason is not known yet.", self.written([row(1.2)], MISSES={"halo": ""}))

    def test_studies_without_aims_and_predictions(self):
        text = self.written([row(1.2)], AIMS=[], MISSES={}, PREDICTED=None)
        for part in ("### Aims", "predicts"):
            self.assertNotIn(part, text)

    def test_quick_runs_say_so(self):
        self.assertIn("This was a quick run", self.written([row(1.2)], quick=True))


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

    def test_studies_are_named(self):
        said = subprocess.run([BENCH / "study", "none", "--build", "b"], capture_output=True, text=True)
        self.assertEqual(said.returncode, 2)
        self.assertIn("global-arrays", said.stderr)


if __name__ == "__main__":
    unittest.main()
