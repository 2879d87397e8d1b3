"""How jobs are started on a site's nodes: by srun inside an allocation, or by an mpiexec on a list of hosts."""
import collections
import os
import re
import shlex
import shutil
import subprocess

import programs

NAMES = {"mpich": "MPICH", "openmpi": "Open MPI"}
SAYS = {"mpich": "HYDRA|MPICH|Intel", "openmpi": "Open MPI|OpenRTE|PRRTE|prte"}  # what `mpiexec --version` prints
PMI = {"mpich": ["pmi2", "pmix"], "openmpi": ["pmix"]}  # what srun is asked for, the first that works

# Variables that launchers do not hand to other hosts, or not all of them.
FORWARDED = re.compile(r"(TESSERA|UCX|MPIR|FI|PSM2|PSM3)_|LD_LIBRARY_PATH$")


class Layout(collections.namedtuple("Layout", "nodes per_node")):
    """Units on nodes, node after node."""

    @property
    def units(self):
        return self.nodes * self.per_node

    def __str__(self):
        return (f"{self.nodes} node{'s' * (self.nodes > 1)}, {self.per_node} unit{'s' * (self.per_node > 1)} each")


def environment_command(settings):
    """`env NAME=VALUE...`, as no two launchers have the same option for it."""
    values = {name: value for name, value in os.environ.items() if FORWARDED.match(name)} | settings
    return ["env", *(f"{name}={value}" for name, value in sorted(values.items()))] if values else []


# ---- places ----

class Srun:
    """In a Slurm allocation. One unit on a node may use all of its cores, else each has its own."""

    def __init__(self, site, pmi):
        self.site, self.pmi = site, pmi
        self.name = f"srun --mpi={pmi}"

    def command(self, layout):
        cores = max(1, self.site.cores // layout.per_node)
        bind = "none" if layout.per_node == 1 or self.site.bind == "none" else "cores"
        return ["srun", f"--mpi={self.pmi}", f"--nodes={layout.nodes}", f"--ntasks={layout.units}",
                f"--ntasks-per-node={layout.per_node}", f"--cpus-per-task={cores}", "--distribution=block",
                f"--cpu-bind={bind}", "--kill-on-bad-exit=1", *self.site.srun_options]


class Mpiexec:
    """On hosts that are named."""

    def __init__(self, site, kind, launcher):
        self.site, self.kind, self.launcher = site, kind, launcher
        self.name = launcher[0]

    def command(self, layout):
        each = layout.per_node
        hosts = ",".join(f"{host}:{each}" for host in self.site.hosts[:layout.nodes])
        bind = "none" if each == 1 or self.site.bind == "none" else "core"
        if self.kind == "mpich":
            return [*self.launcher, "-hosts", hosts, "-bind-to", bind, "-n", str(layout.units)]
        return [*self.launcher, "--host", hosts, "--map-by", "slot", "--bind-to", bind, "-n", str(layout.units)]


class Site:
    """The nodes, and what all launchers need to know of them."""

    def __init__(self, hosts, cores, bind, srun_options):
        self.hosts, self.cores, self.bind, self.srun_options = hosts, cores, bind, srun_options


def read_hosts(text):
    """Names and slots (None: not given) of a host file: `name`, `name:8`, `name slots=8`; # begins a comment."""
    hosts = {}
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        name, _, slots = words[0].partition(":")
        for word in words[1:]:
            key, _, value = word.partition("=")
            if key == "slots":
                slots = value
        if slots and not (slots.isdigit() and int(slots) > 0):
            raise ValueError(f"{line.strip()}: the number of slots is to be a number above 0")
        hosts[name] = int(slots) if slots else hosts.get(name)
    return hosts


def slurm_hosts():
    """The names of the allocation's nodes; none: scontrol does not tell."""
    names = os.environ.get("SLURM_JOB_NODELIST", "")
    if not names or not shutil.which("scontrol"):
        return []
    told = subprocess.run(["scontrol", "show", "hostnames", names], capture_output=True, text=True)
    return told.stdout.split()


def slurm_cores():
    """Of each node: SLURM_JOB_CPUS_PER_NODE is as 32(x4) or 32(x3),16; the smallest counts."""
    counts = [int(count) for count in re.findall(r"(\d+)(?:\(x\d+\))?", os.environ.get("SLURM_JOB_CPUS_PER_NODE", ""))]
    return min(counts) if counts else None


# ---- MPIs ----

class Mpi:
    """A build of Tessera with an MPI, and that MPI's own program."""

    def __init__(self, name, kind, library, perf):
        self.name, self.kind, self.library, self.perf = name, kind, library, perf
        self.info = os.path.join(os.path.dirname(perf), "tessera-info")
        self.peer = self.place = None

    @property
    def environment(self):
        return programs.KINDS[self.kind].environment


def mpi_library(path):
    """The file of the MPI library that a program is linked with."""
    linked = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    found = re.search(r"\blibmpi(?:ch)?\.so[.\d]* => (\S+)", linked)
    return os.path.realpath(found.group(1)) if found else None


def find_mpis(builds):
    """One for each MPI library: the first build with it counts."""
    found = {}
    for perf in programs.programs_in(builds, "tessera-perf"):
        kind, library = programs.kind_of(perf), mpi_library(perf)
        if kind not in NAMES or library in found:
            continue
        same = sum(mpi.kind == kind for mpi in found.values())
        found[library] = Mpi(f"{kind}-{same + 1}" if same else kind, kind, library, perf)
    return list(found.values())


def beside_library(mpi, *names):
    """A program of the same installation as the MPI's library."""
    folder = os.path.dirname(mpi.library)
    while folder not in ("/", "/usr"):
        for name in names:
            path = os.path.join(folder, "bin", name)
            if os.access(path, os.X_OK):
                return path
        folder = os.path.dirname(folder)
    return None


def version_of(launcher):
    try:
        said = subprocess.run([launcher, "--version"], capture_output=True, text=True, timeout=20)
        return said.stdout + said.stderr
    except (OSError, subprocess.TimeoutExpired):
        return ""


def version_line(launcher):
    """Of what `--version` prints: Hydra has a heading, and its version further down."""
    text = version_of(launcher)
    hydra = re.search(r"HYDRA.*?Version:\s*(\S+)", text, re.S)
    if hydra:
        return f"Hydra {hydra.group(1)}"
    return next((line.strip() for line in text.splitlines() if line.strip()), "version unknown")


def find_mpiexec(mpi):
    """Words that start a job of that MPI, or None."""
    beside = beside_library(mpi, "mpiexec", "mpiexec.hydra")
    if beside:
        return [beside]
    for name in (f"mpiexec.{mpi.kind}", "mpiexec", "mpirun"):
        path = shutil.which(name)
        if path and re.search(SAYS[mpi.kind], version_of(path)):
            return [path]
    return None


def find_peer(mpi, builds, scratch, dry_run):
    """mpi_rma on the same library, from a build or compiled now (a dry run compiles nothing); None: there is none."""
    for path in programs.programs_in(builds, programs.KINDS[mpi.kind].program):
        if mpi_library(path) == mpi.library:
            return path
    if dry_run:
        return os.path.join(scratch, f"mpi_rma-{mpi.kind}")
    return programs.build_peer(mpi.kind, scratch, beside_library(mpi, "mpicc"))


def candidates(mpi, site, given, in_slurm):
    """Launchers that may start that MPI's programs, the most likely first."""
    if given:
        if given[0] != "srun":
            return [Mpiexec(site, mpi.kind, given)]
        return [Srun(site, pmi) for pmi in PMI[mpi.kind]]
    found = [Srun(site, pmi) for pmi in PMI[mpi.kind]] if in_slurm and shutil.which("srun") else []
    mpiexec = find_mpiexec(mpi)
    if mpiexec and site.hosts:
        found.append(Mpiexec(site, mpi.kind, mpiexec))
    return found


def shown(command):
    return shlex.join(map(str, command))
