"""The cases of MG and CG. study.py adds them to its own."""

_PLACES = ["node", "virtual", "hosts"]
_MG = ("NAS MG, class A: four V-cycles on 256^3 cells. whole: seconds of the timed part; halo: of these in exchanges of "
       "halos, with the wait for the neighbour; compute: the rest (mean of the units). ")
_CG = ("NAS CG, class A: 15 solutions of a sparse system of 14000 rows. whole: seconds of the timed part; exchange: of these "
       "in transfers of the vector and in waiting for them; reduce: in sums over all units; "
       "compute: the rest (means of the units). ")
_BLOCKING = "All data is sent, then waited for, then used. MPI: Isend and Irecv, then Waitall; ours: blocking notified puts."
_NONBLOCKING = "Both versions compute what they can while data is on its way: the peer does more than the study's MPI version."
_STUDY = ("As in the study: ours computes what it can while data is on its way, the MPI version sends all data, then waits for it, "
          "then uses it. It is for these rows that there is an aim.")


def _as_in_the_study(name, what):
    return {"name": name, "ours": f"{name}_native", "peer": f"{name}_mpi",
            "arguments": ["--class", "A", "--transfer", "nonblocking"], "quick": ["--class", "S", "--transfer", "nonblocking"],
            "peer_arguments": ["--class", "A", "--transfer", "blocking"], "peer_quick": ["--class", "S", "--transfer", "blocking"],
            "units": [2], "places": ["node", "hosts"], "what": what + _STUDY}


def _class_w(name, what):
    ours, peer = (["--class", "W", "--transfer", transfer] for transfer in ("nonblocking", "blocking"))
    return {**_as_in_the_study(name, ""), "name": f"{name} of class W", "places": ["node"], "what": what,
            "arguments": ours, "quick": ours, "peer_arguments": peer, "peer_quick": peer}


CASES = [
    _as_in_the_study("mg", _MG),
    {"name": "mg-blocking", "ours": "mg_native", "peer": "mg_mpi",
     "arguments": ["--class", "A", "--transfer", "blocking"],
     "quick": ["--class", "S", "--transfer", "blocking"],
     "units": [2], "places": _PLACES, "what": _MG + _BLOCKING},
    {"name": "mg-nonblocking", "ours": "mg_native", "peer": "mg_mpi",
     "arguments": ["--class", "A", "--transfer", "nonblocking"],
     "quick": ["--class", "S", "--transfer", "nonblocking"],
     "units": [2], "places": _PLACES, "what": _MG + _NONBLOCKING},
    _class_w("mg", "As in the study, with the smaller class W: four V-cycles on 128^3 cells."),
    _as_in_the_study("cg", _CG),
    {"name": "cg-blocking", "ours": "cg_native", "peer": "cg_mpi",
     "arguments": ["--class", "A", "--transfer", "blocking"],
     "quick": ["--class", "S", "--transfer", "blocking"],
     "units": [2], "places": _PLACES, "what": _CG + _BLOCKING},
    {"name": "cg-nonblocking", "ours": "cg_native", "peer": "cg_mpi",
     "arguments": ["--class", "A", "--transfer", "nonblocking"],
     "quick": ["--class", "S", "--transfer", "nonblocking"],
     "units": [2], "places": _PLACES, "what": _CG + _NONBLOCKING},
    _class_w("cg", "As in the study, with the smaller class W: 15 solutions of a sparse system of 7000 rows."),
]
