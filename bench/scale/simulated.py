"""Leaders on simulated hosts: bench/scale/between.c, with the library's own algorithms, under SimGrid's SMPI."""
import pathlib
import shutil
import subprocess
import tempfile

import source
from model import LARGE, SMALL, Between

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = [f"src/coll/{name}.c" for name in ("schedule", "group", "blocks", "bcast", "halving", "reduce", "gather", "allgather",
                                              "alltoall")]
LIBRARY += ["src/base/copy.c", "src/core/bootstrap.c", "src/core/sync.c"]
MIDDLE = 64 << 10
RUNS = [("barrier", "doubling", SMALL), ("allreduce", "doubling", SMALL), ("allreduce", "doubling", 16 << 10),
        ("allreduce", "ring", MIDDLE), ("allreduce", "halving", MIDDLE), ("allreduce", "halving", LARGE),
        ("bcast", "tree", SMALL), ("bcast", "tree", 16 << 10), ("bcast", "ring", LARGE), ("bcast", "halving", LARGE),
        ("scatter", "tree", SMALL), ("scatter", "direct", SMALL), ("scatter", "direct", 16 << 10),
        ("gather", "tree", 512), ("gather", "tree", 16 << 10), ("gather", "direct", 512), ("gather", "direct", 16 << 10),
        ("allgather", "doubling", 512), ("allgather", "doubling", 16 << 10), ("allgather", "ring", 16 << 10),
        ("alltoall", "direct", SMALL), ("alltoall", "direct", 16 << 10),
        ("reduce", "tree", SMALL), ("reduce", "tree", 16 << 10), ("reduce", "ring", LARGE),
        ("reduce", "halving", LARGE)]
MOST = 256 # nodes of long runs: more of a ring or alltoall take minutes, and long allgathers of more take all memory


def is_long(collective, algorithm, size):
    return algorithm == "ring" or collective == "alltoall" or (collective == "allgather" and size > 8 << 10)


PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="nodes" prefix="n" suffix="" radical="0-{last}" speed="1Gf" bw="{bandwidth}Bps"
 lat="{latency}s" sharing_policy="SPLITDUPLEX"/></platform>
"""


def is_installed():
    return shutil.which("smpirun") and shutil.which("smpicc")


def build(folder):
    program = pathlib.Path(folder) / "between"
    command = ["smpicc", "-std=gnu11", "-O1", "-fvisibility=hidden", "-ffunction-sections", "-Wl,--gc-sections", f"-I{source.ROOT / 'src'}", f"-I{source.ROOT / 'include'}",
               HERE / "between.c", *(source.ROOT / file for file in LIBRARY), "-o", program]
    subprocess.run(command, check=True)
    return program


def run(program, machine, nodes, collective, algorithm, size):
    """SMPI on a switch without contention: each host's link has half of the latency."""
    folder = program.parent
    path, hosts = folder / f"nodes{nodes}.xml", folder / f"hosts{nodes}"
    path.write_text(PLATFORM.format(last=nodes - 1, bandwidth=1e9 / machine.per_byte, latency=machine.latency / 2e9))
    hosts.write_text("".join(f"n{i}\n" for i in range(nodes)))
    overhead = f"0:{machine.overhead / 1e9}:0"
    settings = {"smpi/os": overhead, "smpi/ois": overhead, "smpi/or": overhead,
                "smpi/bw-factor": "0:1", "smpi/lat-factor": "0:1",
                "network/weight-S": "0", "network/TCP-gamma": "1e12", "network/crosstraffic": "no",
                "smpi/simulate-computation": "no", "smpi/wtime": "0", "smpi/test": "0", "smpi/async-small-thresh": "0",
                "smpi/send-is-detached-thresh": "65536", "contexts/stack-size": "256"}
    command = ["smpirun", "-np", str(nodes), "-platform", str(path), "-hostfile", str(hosts),
               *(f"--cfg={name}:{value}" for name, value in settings.items()), "--log=root.thres:critical",
               str(program), collective, algorithm, str(size)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode or not done.stdout.strip():
        raise SystemExit(f"scale-model: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return float(done.stdout.split()[-1])


def compare(machine, nodes_list):
    """(what, where, predicted, simulated) of each collective and algorithm. Simulated ranks add up in no time."""
    between = Between(machine, 0)
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        for collective, algorithm, size in RUNS:
            for nodes in nodes_list:
                if nodes > MOST and is_long(collective, algorithm, size):
                    continue
                yield (f"{collective} {algorithm} {size} B", f"{nodes} simulated nodes",
                       between.take(collective, algorithm, nodes, size),
                       run(program, machine, nodes, collective, algorithm, size))
