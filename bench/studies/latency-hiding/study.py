"""Latency hiding: non-blocking gets under computation, aggregation of small transfers, a sparse product, and NAS MG and CG."""
import pathlib

try:
    from study_nas import CASES as NAS
except ImportError:
    NAS = []

TITLE = "Latency hiding"
HEADLINES = [
    "90 to 99 % of a non-blocking get's time overlap with computation.",
    "Aggregation makes a sparse matrix-vector product 78 % faster.",
    "MG with non-blocking transfers is 30 to 45 % faster than with MPI's messages.",
]

_MATRICES = pathlib.Path(__file__).resolve().parents[3] / "examples" / "spmv-armci" / "input"
_AGENTS = {"TESSERA_PROGRESS": "process:1"}  # one progress process on each node
_WAYS = ["spmv.single", "spmv.nonblocking", "spmv.aggregated", "spmv.vector", "spmv.overlapped"]
_SMALL = ["--rows", "500", "--nonzeros", "10000", "--repeat", "1"]


def _overlap():
    case = {"ours": "overlap_armci", "peer": "overlap_mpi", "arguments": ["--bytes", "4096,65536,1048576", "--repeat", "9"],
            "quick": ["--bytes", "4096", "--repeat", "1"]}
    what = ("Unit 0 starts a get, computes, and waits for the get. get: the get alone; compute.NNN: the share of the shorter one "
            "of both that the longer one hides, for a computation of NNN percent of the get's time. The data arrives in global "
            "memory (direct) or in private memory (buffered). ")
    yield {**case, "name": "overlap", "places": ["hosts"], "what": what + "Between hosts a thread makes progress."}
    yield {**case, "name": "overlap with agents", "places": ["node", "hosts"], "environment": _AGENTS,
           "what": what + "With a progress process on each node, which also copies inside it."}


def _aggregation():
    yield {"name": "aggregation", "ours": "aggregate_armci", "peer": "aggregate_mpi", "places": ["node", "virtual", "hosts"],
           "arguments": ["--repeat", "3", "--batch", "1"], "quick": ["--doubles", "100", "--repeat", "1", "--batch", "1"],
           "within": [["aggregate.single", "aggregate.nonblocking", "aggregate.handle", "aggregate.vector"]],
           "what": "1000 scattered doubles, one by one (single), non-blocking with one wait, on an aggregate handle, and as one "
                   "vector call, against MPI's one-sided calls (vector: one with a type that lists the doubles)."}
    yield {"name": "aggregation, ARMCI-MPI", "ours": "tessera-perf", "peer": "armci_mpi", "places": ["node"],
           "arguments": ["armci.aggregate", "--json", "--no-limit", "--seconds", "0.05", "--reps", "5"],
           "quick": ["armci.aggregate", "--json", "--no-limit", "--seconds", "0.001", "--reps", "1"],
           "what": "Puts of 1000 scattered doubles and a fence, in the same ways, against ARMCI-MPI."}


def _spmv():
    case = {"ours": "spmv_armci", "quick": _SMALL}
    what = ("A sparse matrix times a vector, of whose elements a unit fetches those that it needs. product: the whole, fetch: "
            "the transfer. ")
    yield {**case, "name": "sparse product", "peer": "spmv_mpi", "places": ["node", "hosts"],
           "arguments": ["--repeat", "10", "--ways", "nonblocking,aggregated,vector,overlapped"],
           "what": what + "41092 rows, 1.68 million entries. The peer of aggregated and overlapped is two-sided, with one "
                   "message for each pair of units; the others are one-sided. overlapped computes during the transfer."}
    yield {**case, "name": "sparse product, aggregation", "places": ["node", "virtual", "hosts"], "arguments": ["--repeat", "3"],
           "within": [_WAYS], "aim": {"spmv.aggregated": 1.7},
           "what": what + "The same matrix: without aggregation (single, nonblocking) and with it. Ratios: to single gets."}
    yield {**case, "name": "sparse product, utm300", "peer": "spmv_mpi", "places": ["node", "hosts"],
           "arguments": ["--matrix", str(_MATRICES / "utm300.rua"), "--repeat", "9"], "within": [_WAYS],
           "what": what + "A real matrix: tokamak plasma, 300 rows, 3155 entries."}
    yield {**case, "name": "sparse product, lund_a", "peer": "spmv_mpi", "places": ["node"],
           "arguments": ["--matrix", str(_MATRICES / "lund_a.rsa"), "--repeat", "9"], "within": [_WAYS],
           "what": what + "A real matrix: structural engineering, 147 rows, 2449 entries with the mirrored ones."}
    yield {"name": "sparse product, ARMCI-MPI", "ours": "spmv-armci", "peer": "spmv-armci", "places": ["node"],
           "arguments": ["--repeat", "3", "--generate", "41092", "1683902"],
           "quick": ["--repeat", "1", "--generate", "500", "10000"],
           "what": "The example spmv-armci with the same matrix, on our ARMCI and on ARMCI-MPI: seconds for all products."}


CASES = [*_overlap(), *_aggregation(), *_spmv(), *NAS]
