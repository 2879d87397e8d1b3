"""bench/cluster: how it reads host files, allocations and stages, the commands that it makes of them, and the report
that it makes of records."""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys
import unittest
from unittest import mock

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("cluster", str(BENCH / "cluster"))
cluster = importlib.util.module_from_spec(importlib.util.spec_from_loader("cluster", loader))
loader.exec_module(cluster)

import launchers  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402
from launchers import Layout  # noqa: E402

BARE = {name: value for name, value in os.environ.items() if not launchers.FORWARDED.match(name)}


class Hosts(unittest.TestCase):
    def test_forms_of_a_line(self):
        hosts = launchers.read_hosts("# nodes\nn1\nn2:8 # comment\n\n  n3 slots=4 max_slots=8\nn1 slots=2\n")
        self.assertEqual(hosts, {"n1": 2, "n2": 8, "n3": 4})

    def test_wrong_slots_are_named(self):
        for line in ("n1 slots=many", "n1:0"):
            with self.assertRaisesRegex(ValueError, line):
                launchers.read_hosts(line)

    def test_smallest_node_of_an_allocation(self):
        for text, cores in (("32(x4)", 32), ("32(x3),16", 16), ("8", 8), ("", None)):
            with mock.patch.dict(os.environ, {"SLURM_JOB_CPUS_PER_NODE": text}):
                self.assertEqual(launchers.slurm_cores(), cores)


class Commands(unittest.TestCase):
    site = launchers.Site(["n1", "n2", "n3"], 16, "auto", ["--exclusive"])

    def test_mpiexec_names_hosts_and_fills_one_after_the_other(self):
        mpich = launchers.Mpiexec(self.site, "mpich", ["mpiexec"]).command(Layout(2, 16))
        self.assertEqual(" ".join(mpich), "mpiexec -hosts n1:16,n2:16 -bind-to core -n 32")
        openmpi = launchers.Mpiexec(self.site, "openmpi", ["mpiexec", "-q"]).command(Layout(2, 1))
        self.assertEqual(" ".join(openmpi), "mpiexec -q --host n1:1,n2:1 --map-by slot --bind-to none -n 2")

    def test_srun_shares_the_cores_out(self):
        words = launchers.Srun(self.site, "pmix").command(Layout(3, 4))
        for word in ("--mpi=pmix", "--nodes=3", "--ntasks=12", "--ntasks-per-node=4", "--cpus-per-task=4",
                     "--cpu-bind=cores", "--exclusive"):
            self.assertIn(word, words)
        self.assertIn("--cpu-bind=none", launchers.Srun(self.site, "pmix").command(Layout(3, 1)))

    def test_settings_and_what_launchers_do_not_forward(self):
        with mock.patch.dict(os.environ, BARE | {"UCX_TLS": "rc", "TESSERA_NET": "auto", "HOME": "/"}, clear=True):
            words = launchers.environment_command({"TESSERA_NET": "ucx"})
            self.assertEqual(words, ["env", "TESSERA_NET=ucx", "UCX_TLS=rc"])
        with mock.patch.dict(os.environ, BARE, clear=True):
            self.assertEqual(launchers.environment_command({}), [])

    def test_stages(self):
        options = argparse.Namespace(stages=["2x1", "2xall", "allxall", "64x1"], nodes_n=8, cores=16)
        notes = []
        self.assertEqual(cluster.layouts_for(options, notes.append), [Layout(2, 1), Layout(2, 16), Layout(8, 16)])
        self.assertEqual(notes, ["Stage 64x1 is left out: there are 8 nodes."])
        options = argparse.Namespace(stages=["2x1", "2xall", "allxall"], nodes_n=2, cores=1)
        self.assertEqual(cluster.layouts_for(options, notes.append), [Layout(2, 1)])
        with self.assertRaises(argparse.ArgumentTypeError):
            cluster.stage_name("2x0")

    def test_target_is_on_the_second_node(self):
        mpi = launchers.Mpi("mpich", "mpich", "/lib/libmpich.so", "/b/tessera-perf")
        options = argparse.Namespace(seconds=0.05, reps=9, bytes="8")
        words = cluster.words_for(mpi, "ucx", "trip", Layout(2, 16), options)
        self.assertEqual(words[:2] + words[-2:], ["/b/tessera-perf", "trip", "--target", "16"])
        self.assertNotIn("--target", cluster.words_for(mpi, "ucx", "trip", Layout(1, 16), options))


class Versions(unittest.TestCase):
    def test_heading_of_hydra(self):
        for text, line in (("HYDRA build details:\n    Version:    4.0.2\n    Release", "Hydra 4.0.2"),
                           ("\nmpiexec (OpenRTE) 4.1.4\n\nReport bugs", "mpiexec (OpenRTE) 4.1.4"),
                           ("slurm 22.05\n", "slurm 22.05"), ("", "version unknown")):
            with mock.patch.object(launchers, "version_of", lambda launcher, text=text: text):
                self.assertEqual(launchers.version_line("mpiexec"), line)


class Failing(unittest.TestCase):
    """A program that fails after its first row, and one that cannot be started."""

    def setUp(self):
        self.journal = mock.Mock(records=[])
        self.journal.add = lambda what, **record: self.journal.records.append({"what": what, **record})
        self.runner = cluster.Runner(self.journal, argparse.Namespace(minutes=1, timeout=20, dry_run=False))
        self.mpi = launchers.Mpi("mpich", "mpich", "/lib/libmpich.so", "/b/tessera-perf")
        self.mpi.place = mock.Mock(command=lambda layout: [])
        self.patch = mock.patch.object(cluster, "say")
        self.patch.start()
        self.addCleanup(self.patch.stop)

    def run_words(self, *words):
        return self.runner.run(("s", "mpich", "ucx", "trip"), self.mpi, self.mpi.place, Layout(2, 1), list(words), {})

    def test_last_lines_are_kept_and_rows_used(self):
        self.assertEqual(self.run_words("sh", "-c", "echo row; echo 'TSR-0001 bad' >&2; exit 3"), "row\n")
        (failure,) = report.of(self.journal.records, "failure")
        self.assertEqual((failure["why"], failure["tail"]), ("exit code 3: TSR-0001 bad", ["row", "TSR-0001 bad"]))
        self.assertIn(("s", "mpich", "ucx", "trip"), self.runner.failed)

    def test_wire_that_is_not_used(self):
        for said, usable in (("wire     mpi: TESSERA_NET says so", False), ("MPI x\nwire     ucx: TESSERA_NET says so", True)):
            self.runner.failed.clear()
            self.mpi.info = "echo"
            self.mpi.place = mock.Mock(command=lambda layout, said=said: ["echo", said])
            self.assertEqual(cluster.check_wire(self.runner, self.mpi, "ucx", Layout(2, 1)), usable)
        self.assertEqual([f["side"] for f in report.of(self.journal.records, "failure")], ["ucx"])

    def test_warnings_are_not_the_reason(self):
        self.assertEqual(programs.first_message("---\n[x] warning: TSR-0004 a\n[x] error: TSR-0001 b\n"), "[x] error: TSR-0001 b")
        self.assertEqual([programs.first_message("warning\n"), programs.first_message("")], ["warning", "no message"])

    def test_missing_program(self):
        self.assertEqual(self.run_words("/nowhere/program"), "")
        self.assertEqual(len(report.of(self.journal.records, "failure")), 1)

    def test_failed_is_not_tried_again(self):
        self.runner.failed.add(("s", "mpich", "ucx", "trip"))
        cluster.measure(self.runner, "s", self.mpi, "ucx", "trip", Layout(2, 1), 1)
        self.assertEqual(self.journal.records, [])


def row(side, value, turn, **more):
    return {"what": "row", "stage": "2 nodes, 1 unit each", "mpi": "mpich", "side": side, "round": turn,
            "work": "trip.get", "variant": "plain", "bytes": 8, "unit": "ns", "mode": "", "value": value} | more


RECORDS = [
    {"what": "run", "date": "2026-11-25 09:00", "command": "cluster --hosts f", "environment": {"UCX_TLS": "rc"}},
    {"what": "node", "facts": {"host": "n1", "kernel": "Linux 6", "devices for verbs": "mlx5_0 port 1"}},
    {"what": "node", "facts": {"host": "n2", "kernel": "Linux 6", "devices for verbs": "mlx5_0 port 1"}},
    {"what": "mpi", "name": "mpich", "version": "MPICH 4.2", "table": {"library": "/l", "environment": ""},
     "explain": "wire     ucx: there is an active device for verbs\nUCX      1.17.0, /libucp.so.0"},
    *(row("peer", value, turn) for turn, value in enumerate((2000, 2200, 1800))),
    *(row("mpi", value, turn) for turn, value in enumerate((4000, 2200, 1500))),
    *(row("ucx", value, turn) for turn, value in enumerate((1000, 1100))),
    *(row("peer", value, 0, work="put", unit="GB/s", mode=mode) for mode, value in (("allocate", 10), ("shared", 12))),
    row("mpi", 6, 0, work="put", unit="GB/s"),
    row("peer", 1000, 0, work="memory", variant="private", unit="KiB"),
    row("mpi", 1500, 0, work="memory", variant="private", unit="KiB"),
    {"what": "formula", "stage": "2 nodes, 1 unit each", "mpi": "mpich", "side": "mpi", "bytes": 409600},
    {"what": "time", "stage": "2 nodes, 1 unit each", "mpi": "mpich", "side": "peer", "round": 0, "seconds": 0.5},
    {"what": "failure", "stage": "2 nodes, 1 unit each", "mpi": "mpich", "side": "ucx", "group": "put",
     "why": "exit code 1: x|y", "command": "srun tessera-perf put", "tail": [f"line {i}" for i in range(100)]},
    {"what": "command", "command": "srun tessera-perf trip"},
    {"what": "command", "command": "srun tessera-perf trip"},
    {"what": "note", "text": "The time was over."},
]


class Report(unittest.TestCase):
    def setUp(self):
        self.text = report.render(RECORDS)
        self.lines = self.text.splitlines()

    def has(self, line):
        self.assertIn(line, self.lines)

    def test_figures_are_medians_with_range_and_ratios_by_round(self):
        self.has("| trip.get | plain | 8 | 2000.00 ns (1800.00 ns to 2200.00 ns) | 2200.00 ns (1500.00 ns to 4000.00 ns) "
                 "| 1.00 (0.50 to 1.20) | 1050.00 ns (1000.00 ns to 1100.00 ns) | 2.00 (2.00 to 2.00) |")

    def test_best_mode_of_the_peer_and_rates(self):
        self.has("| put | plain | 8 | 12.00 GB/s shared | 6.00 GB/s | 0.50 | – | – |")

    def test_summary(self):
        self.has("| work | mpich: mpi | mpich: ucx | mpich: ucx to mpi |")
        self.has("| trip.get | 1.00 (1) | 2.00 (1) | 3.00 (1) |")
        self.has("| put | 0.50 (1) | – | – |")
        self.has("| all | 0.75 (2) | 2.00 (1) | 3.00 (1) |")

    def test_memory_beside_the_formula(self):
        self.has("| 2 nodes, 1 unit each | mpich | mpi | 1500 | 1000 | 500 | 400 | – |")

    def test_start_up_without_a_side(self):
        self.has("| 2 nodes, 1 unit each | mpich | – | 500.00 ms | – | – |")

    def test_equal_nodes_are_one(self):
        self.has("| 2 nodes | n1, n2 |")
        self.has("    wire     ucx: there is an active device for verbs")

    def test_failures_with_their_last_lines(self):
        self.has("## What failed (1)")
        self.has("    | line 99")
        self.assertNotIn("    | line 1", self.lines)

    def test_commands_once(self):
        self.has("      2 x srun tessera-perf trip")

    def test_a_run_in_which_nothing_started(self):
        text = report.render([RECORDS[0], RECORDS[-4]])
        self.assertIn("## What failed (1)", text)


class Rows(unittest.TestCase):
    def test_other_lines_are_left_out(self):
        rows = programs.rows_of('noise\n{"work":"trip","variant":"v","bytes":8,"unit":"ns","value":5}\n{"work":1\n')
        self.assertEqual(rows, {("trip", "v", 8, "ns"): [("", 5)]})

    def test_memory_and_time_are_better_when_less(self):
        self.assertEqual([programs.is_rate(unit) for unit in ("ns", "KiB", "GB/s", "Mop/s", "%")],
                         [False, False, True, True, True])


class Machines(unittest.TestCase):
    def test_lines_of_two_nodes_that_the_launcher_put_into_one(self):
        one, other = (cluster.machine.MARK + json.dumps({"host": name}) for name in ("h1", "h2"))
        facts = [{"host": "h1"}, {"host": "h2"}]
        self.assertEqual(cluster.machine.described(f"{one}\nWarning: x\n{other}\n"), facts)
        self.assertEqual(cluster.machine.described(f"{one}{other}\n\n"), facts)
        self.assertEqual(cluster.machine.described(f"{one[:-4]}"), [])


if __name__ == "__main__":
    unittest.main()
