"""What a node is: processor, kernel, network devices. As a dictionary, so that nodes can be told apart."""
import glob
import json
import os
import platform
import re
import shutil
import subprocess

MARK = "machine: "  # begins the line that `cluster --describe` prints; launchers add lines of their own


def read(path, otherwise="?"):
    try:
        with open(path, errors="replace") as file:
            return file.read().strip()
    except OSError:
        return otherwise


def first_line(*command):
    """What a program says first; empty: it cannot be run."""
    if not shutil.which(command[0]):
        return ""
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next((line.strip() for line in (said.stdout + said.stderr).splitlines() if line.strip()), "")


def field(text, name):
    found = re.search(rf"^{name}\s*[:=]\s*(.*)$", text, re.M)
    return found.group(1).strip().strip('"') if found else "?"


def cores():
    """Cores that this process may use: of threads that share one, one counts."""
    allowed = os.sched_getaffinity(0)
    siblings = {read(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", str(cpu)) for cpu in allowed}
    return len(siblings)


def verbs_ports():
    for port in sorted(glob.glob("/sys/class/infiniband/*/ports/*")):
        device = port.split("/")[4]
        yield (f"{device} port {os.path.basename(port)}: {read(port + '/link_layer')}, {read(port + '/rate')}, "
               f"{read(port + '/state')}, firmware {read(f'/sys/class/infiniband/{device}/fw_ver')}")


def interfaces():
    for folder in sorted(glob.glob("/sys/class/net/*")):
        name = os.path.basename(folder)
        if name != "lo" and read(folder + "/operstate") != "down":
            speed = read(folder + "/speed")
            yield f"{name}: {f'{speed} Mbit/s' if speed.isdigit() else 'speed unknown'}, MTU {read(folder + '/mtu')}"


def caches():
    """Of the first processor."""
    for folder in sorted(glob.glob("/sys/devices/system/cpu/cpu0/cache/index*")):
        if read(folder + "/type") != "Instruction":
            shared = read(folder + "/shared_cpu_list")
            yield f"L{read(folder + '/level')} {read(folder + '/size')}, for CPU {shared}"


def processor_times():
    """Ticks of all processors since the start, and how many of them the hypervisor gave to other machines."""
    ticks = [int(word) for word in read("/proc/stat").splitlines()[0].split()[1:9]]  # the rest is part of these
    return sum(ticks), ticks[7]


def environment():
    """The variables that may change what is measured."""
    wanted = re.compile(r"(TESSERA|UCX|MPIR|MPICH|OMPI_MCA|FI|PSM2|PSM3|I_MPI)_|SLURM_JOB_(NODELIST|PARTITION)$")
    return {name: value for name, value in sorted(os.environ.items()) if wanted.match(name)}


def describe():
    memory_kib = field(read("/proc/meminfo"), "MemTotal").split()[0]
    return {
        "host": platform.node(),
        "processor": field(read("/proc/cpuinfo"), "model name"),
        "cores": cores(),
        "threads": len(os.sched_getaffinity(0)),
        "caches": "; ".join(caches()) or "?",
        "memory": f"{int(memory_kib) / (1 << 20):.0f} GiB" if memory_kib.isdigit() else "?",
        "system": field(read("/etc/os-release"), "PRETTY_NAME"),
        "kernel": f"{platform.system()} {platform.release()}",
        "frequency governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "none"),
        "devices for verbs": "; ".join(verbs_ports()) or "none",
        "interfaces": "; ".join(interfaces()) or "none",
        "ucx_info -v": first_line("ucx_info", "-v") or "not installed",
    }


def described(output):
    """The facts in what --describe printed on each node. A launcher may put the lines of two nodes into one."""
    found = []
    for text in output.split(MARK)[1:]:
        try:
            found.append(json.JSONDecoder().raw_decode(text)[0])
        except ValueError:
            continue
    return found
