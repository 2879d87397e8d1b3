"""RandomAccess of HPCC (Debian: hpcc), as a peer of the study `pgas`.

HPCC has no option to run one of its benchmarks alone. RandomAccess over MPI is its first one: this runs it until the results of
that are in its file, and ends it then. The size of the table follows from the matrix of HPL, which comes last and is never made.
"""
import json
import math
import pathlib
import re
import shutil
import tempfile

import places
from programs import Failed, kind_of, short

NAME = "hpcc"
BEGIN, END = "Begin of MPIRandomAccess section", "End of MPIRandomAccess section"

# Of HPL's input the matrix and the grid of processes matter; the rest is as in HPCC's example, but short.
INPUT = """HPLinpack benchmark input file
RandomAccess alone
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
{order}      Ns
1            # of NBs
80           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
{units}      Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
"""


def find():
    """The path of the program and its MPI, or None."""
    path = shutil.which(NAME)
    kind = kind_of(path) if path else None
    return (path, kind) if kind else None


def order_of(bits):
    """Of a matrix for which HPCC takes a table of 2^bits words: the largest power of two that is not above the number of its
    elements. It has 1.4 times as many."""
    return math.ceil(math.sqrt(1.4 * 2 ** bits))


def section_of(text):
    """What HPCC has written about the benchmark; empty: it is not done."""
    found = re.search(f"{BEGIN}(.*){END}", text, re.DOTALL)
    return found.group(1) if found else ""


def row_of(text, bits, units):
    """As random_access prints it."""
    section = section_of(text)
    table = re.search(r"Total Main table size = 2\^(\d+)", section)
    rate = re.search(r"([\d.]+) Billion\(10\^9\) Updates +per second", section)
    if not table or not rate or int(table[1]) != bits:
        raise Failed(f"no rate for a table of 2^{bits} words in hpccoutf.txt", "", section)
    if "(passed)" not in section:
        raise Failed("HPCC says that the result is wrong", "", section)
    value = short(1e3 * float(rate[1]))
    return {"work": "random_access.hpcc", "variant": "plain", "bytes": 8 << bits, "units": units, "value": value, "min": value,
            "max": value, "unit": "Mop/s"}


def run(place, path, kind, units, bits, timeout, environment):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "hpccoutf.txt"

        def text():
            return output.read_text(errors="replace") if output.exists() else ""

        (output.parent / "hpccinf.txt").write_text(INPUT.format(order=order_of(bits), units=units))
        places.launch(place, path, kind, units, [], timeout, environment, folder, lambda: section_of(text()))
        return row_of(text(), bits, units)


def launch(place, path, kind, units, arguments, timeout, environment=None):
    """Does what places.launch does with random_access, for the tables that its arguments name."""
    bits = [int(one) for one in arguments[arguments.index("--bits") + 1].split(",")]
    return "".join(json.dumps(run(place, path, kind, units, one, timeout, environment)) + "\n" for one in bits)
