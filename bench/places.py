"""Where programs run: on this host, or on hosts in namespaces of it. For compare and study."""
import os
import pathlib
import shutil
import subprocess
import sys

from programs import KINDS, Failed, run_command

HERE = pathlib.Path(__file__).resolve().parent
CORES = len(os.sched_getaffinity(0))


class ThisHost:
    """One core for each unit while there are enough, so that no two units of a run share a core."""
    environment = {}

    def clear(self):
        pass

    def target(self, units):
        return 1

    def command(self, kind, units, program):
        bind = kind.bind if units <= CORES else "none"
        return [*kind.launcher, "--bind-to", bind, "-n", str(units), program]


class VirtualNodes(ThisHost):
    """Two nodes that are one host, so that units of different nodes send each other messages. It is Tessera's alone."""
    environment = {"TESSERA_VIRTUAL_NODES": "2"}

    def target(self, units):
        return -(-units // 2)


class Hosts:
    """Hosts in namespaces of this machine, with a network between them. Units are not bound, because each host would
    bind its first unit to the same core."""
    environment = {"OMPI_MCA_hwloc_base_binding_policy": "none"}

    def __init__(self, n):
        self.n = n
        self.keeper = subprocess.Popen(["sh", HERE / "hosts.sh", "up", str(n)], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.folder = self.keeper.stdout.readline().strip()
        if not os.path.isdir(self.folder):
            why = self.folder.removeprefix("skipped: ") or "no message"
            sys.exit(f"{os.path.basename(sys.argv[0])}: hosts are not possible here: {why}")

    def command(self, kind, units, program):
        return ["sh", HERE / "hosts.sh", "run", self.folder, str(self.n), kind.mpi, kind.launcher[0], str(units),
                program]

    def clear(self):
        """Kills the processes that a stopped launcher left on other hosts."""
        subprocess.run(["sh", HERE / "hosts.sh", "clear", self.folder])

    def target(self, units):
        """The first unit of the second host: launchers fill one host after the other."""
        return -(-units // self.n)

    def down(self):
        self.keeper.stdin.close()
        self.keeper.wait()


def launch(place, path, kind, units, arguments, timeout, environment=None, folder=None, is_done=None):
    """Runs a program to its end, or until `is_done`. Returns its output; raises Failed with the rows so far as second argument."""
    command = [*place.command(KINDS[kind], units, path), *arguments]
    if not shutil.which(KINDS[kind].launcher[0]):
        raise Failed(f"{KINDS[kind].launcher[0]} is not installed", "", "")
    settings = {**KINDS[kind].environment, **place.environment, **os.environ, **(environment or {})}
    return run_command(command, settings, timeout, place.clear, folder, is_done)
