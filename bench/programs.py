"""Programs that are measured: ours and the peers'. How they are found, built and run, and the rows that they print. For
compare and cluster, which run them."""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from pictures import is_rate

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE / "peers"

# Open MPI 4.1's osc/rdma crashes: inside a node under atomics, and in every OpenSHMEM program at its end. Without it
# the same calls go through osc/sm, which is also the faster of the two. A value set by the user wins.
OPENMPI_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_osc": "^rdma"}


class Kind:
    """A way to build, recognise and start programs."""

    def __init__(self, mpi, program, compiler, launcher, bind, library, environment, flags=()):
        self.mpi, self.program, self.compiler, self.launcher, self.bind = mpi, program, compiler, launcher, bind
        self.library, self.environment, self.flags = library, environment, flags


# Built from its sources, MPICH (and what has its binary interface) is libmpi.so.12, and Open MPI libmpi.so.40.
KINDS = {
    "mpich": Kind("mpich", "mpi_rma", "mpicc.mpich", ["mpiexec.mpich"], "core", r"\blibmpich\.so|\blibmpi\.so\.12\b", {}),
    "openmpi": Kind("openmpi", "mpi_rma", "mpicc.openmpi", ["mpiexec.openmpi", "--oversubscribe"],
                    "core:overload-allowed", r"\blibmpi\.so", OPENMPI_ENV),
    "oshmem": Kind("openmpi", "shmem", "oshcc", ["oshrun", "--oversubscribe"], "core:overload-allowed",
                   r"\bliboshmem\.so",
                   dict(OPENMPI_ENV, SHMEM_SYMMETRIC_SIZE="1G", SHMEM_SYMMETRIC_HEAP_SIZE="1G")),
}


def armci(mpi):
    """ARMCI-MPI, a static library for each MPI, whose launcher starts the program."""
    base = KINDS[mpi]
    return Kind(mpi, "armci_mpi", base.compiler, base.launcher, base.bind, base.library, base.environment,
                (f"-larmci-{mpi}", "-lm"))


KINDS |= {f"armci-{mpi}": armci(mpi) for mpi in ("mpich", "openmpi")}


class Failed(Exception):
    """Why, what the program had printed on standard output by then, and on standard error."""


class Missing(Exception):
    pass


def say(text):
    print(f"{os.path.basename(sys.argv[0])}: {text}", file=sys.stderr, flush=True)


# ---- programs ----

def kind_of(path):
    """The launcher that a program needs, by the libraries it is linked with; None if they do not tell."""
    linked = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    for name in ("oshmem", "mpich", "openmpi"):
        if re.search(KINDS[name].library, linked):
            return name
    return None


def programs_in(builds, name):
    """Executables of that name, perhaps with the name of the MPI (mpi_rma-openmpi, openmpi-mpi_rma)."""
    pattern = re.compile(rf"(.*[-_.])?{name}([-_.].*)?")
    for build in builds:
        for folder, folders, files in os.walk(build):
            folders[:] = sorted(f for f in folders if f not in ("CMakeFiles", ".git"))
            for file in sorted(files):
                path = os.path.join(folder, file)
                if pattern.fullmatch(file) and os.access(path, os.X_OK) and is_elf(path):
                    yield path


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def build_peer(name, scratch, compiler=None):
    """Compiles a peer that is in no build directory, or returns None."""
    kind = KINDS[name]
    compiler = compiler or kind.compiler
    if not shutil.which(compiler):
        return None
    program = os.path.join(scratch, f"{kind.program}-{name}")
    built = subprocess.run([compiler, "-std=c11", "-D_GNU_SOURCE", "-O2", str(SOURCES / f"{kind.program}.c"),
                            "-o", program, *kind.flags], capture_output=True, text=True)
    if built.returncode:
        say(f"{compiler} could not build {kind.program}.c:\n{built.stderr.strip()}")
        return None
    say(f"built {SOURCES / kind.program}.c with {compiler}")
    return program


def find_peer(name, builds, scratch):
    for path in programs_in(builds, KINDS[name].program):
        found = kind_of(path)
        if found and KINDS[found].library == KINDS[name].library:
            return path
    return build_peer(name, scratch)


def find_ours(builds, wanted):
    for path in programs_in(builds, "tessera-perf"):
        kind = kind_of(path)
        if kind in ("mpich", "openmpi") and wanted in (None, kind):
            return path, kind
    return None


# ---- runs ----

def end(process):
    """Ends a run and its processes: first by SIGTERM, so that the launcher cleans up, then by SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(5)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            return


def first_message(said):
    """What a program said first, warnings aside."""
    lines = [line.strip() for line in said.splitlines() if line.strip(" -=")]
    return next((line for line in lines if "warning" not in line.lower()), lines[0] if lines else "no message")


def no_clearing():
    pass


def code_of(process, timeout, is_done):
    """Waits for the end of a process, or ends it when `is_done` says so: it is asked ten times a second."""
    if not is_done:
        return process.wait(timeout)
    begun = time.monotonic()
    while not is_done():
        try:
            return process.wait(0.1)
        except subprocess.TimeoutExpired:
            if time.monotonic() - begun > timeout:
                raise
    end(process)
    return 0


def run_command(command, environment, timeout, clear=no_clearing, folder=None, is_done=None):
    """Runs a command in a folder to its end, or until `is_done` says that it has done enough. Returns its output; raises Failed.
    `clear` ends what a stopped launcher has left."""
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, cwd=folder,
                                   start_new_session=True)
        try:
            code, why = code_of(process, timeout, is_done), ""
        except subprocess.TimeoutExpired:
            end(process)
            clear()
            code, why = -1, f"not done after {timeout:.0f} s (--timeout)"
        except BaseException:
            end(process)
            clear()
            raise
        out.seek(0)
        err.seek(0)
        printed, said = out.read(), err.read()
        if code:
            raise Failed(why or f"exit code {code}: {first_message(said)}", printed, said)
        return printed


def ranks_for(units, hosts, progress=None):
    """The number of ranks that gives Tessera so many units besides the agents of each host."""
    mode, _, agents = (progress or os.environ.get("TESSERA_PROGRESS", "")).partition(":")
    return units + hosts * int(agents) if mode == "process" and agents.isdigit() else units


# ---- rows ----

def application_rows(line):
    """Reads the times of a line such as `heat3d: 0.20 s: halo 0.11, compute 0.04; ...`."""
    found = re.match(r"([\w-]+): ([\d.]+) s: ([^;]*)", line)
    if not found:
        return
    name, whole, parts = found.groups()
    for part, value in [("whole", whole), *re.findall(r"(\w+) ([\d.]+)", parts)]:
        yield (name, part, 0, "s"), float(value)


def value_of(row, best):
    """The median of the batches, or the best of them."""
    return row["value"] if not best else row["max"] if is_rate(row["unit"]) else row["min"]


def rows_of(output, best=False):
    """Rows by (work, variant, bytes, unit), each a list of (mode, value)."""
    rows = {}
    for line in output.splitlines():
        rows.update((key, [("", value)]) for key, value in application_rows(line))
        try:
            row = json.loads(line)
            key = (row["work"], row["variant"], row["bytes"], row["unit"])
            rows.setdefault(key, []).append((row.get("mode", ""), value_of(row, best)))
        except (ValueError, KeyError, TypeError):
            continue
    return rows


def short(value):
    return float(f"{value:.5g}")


def scaled(value, unit):
    if unit == "ns" and value >= 1e4:
        value, unit = (value / 1e6, "ms") if value >= 1e7 else (value / 1e3, "us")
    return f"{value:.6f} s" if unit == "s" else f"{value:.2f} {unit}"


def comparable(ours, theirs, unit):
    """Two values as a ratio takes them: a percentage below 1 counts as 1. None: one of them is 0, and there is no ratio."""
    if unit == "%":
        ours, theirs = max(ours, 1), max(theirs, 1)
    return (ours, theirs) if ours > 0 and theirs > 0 else None


def ratio_of(ours, theirs, unit):
    """Of comparable values. Above 1 ours is better."""
    return ours / theirs if is_rate(unit) else theirs / ours


def has(works, name):
    """Whether a name, or a group (the part before a dot), is among the works."""
    return any(work == name or work.startswith(name + ".") for work in works)


# ---- command lines ----

def positive(kind):
    def parse(text):
        value = kind(text)
        if value <= 0:
            raise argparse.ArgumentTypeError(f"{text} is not positive")
        return value
    return parse


def a_list(item):
    return lambda text: [item(part) for part in text.split(",") if part.strip()]
