"""The study of GASNet-EX's specialised operations, as data: what the driver runs."""

TITLE = "GASNet-EX: negotiated payload, immediate operations, put flood, atomics, strided puts"

HEADLINES = [
    "negotiated payload: up to 14 % more bandwidth in a ping-pong of active messages than fixed payload",
    "immediate operations: up to 93 % less time with inattentive targets than a sender that blocks",
    "flood of puts that are not bulk: up to 32 % more bandwidth from early local completion",
    "fetch-add: 70 % faster point to point than the reference implementation, and a hot spot that scales",
    "strided puts: 1.9 to 8.6 times as fast as the reference implementation inside a node, up to 26 % faster between nodes",
]

AIMS, MISSES = [], {}

LIMITS = [
    "The study's network was Aries. Negotiated payload and early local completion save a copy before the network card takes the "
    "data; here the network card is a shared buffer inside a node, and TCP between namespaces of one "
    "machine.",
    "Immediate operations gain most where many targets are inattentive: here there are 3 and 7 of them, on few cores.",
    "GASNet-EX itself, with which the study compared: Debian has no package of it. Our ways are compared with each other and with "
    "MPI.",
]
PICTURES = [("flood", "flood.now", "1-source"), ("fetchadd", "fetchadd.hotspot", "plain")]
PREDICTED = None  # scale-model has collectives only

_DIMENSIONS = ["1d", "3d", "8d", "32d"]
_MESSAGES = [["message.latency", "fetchadd.latency"], ["message.throughput", "fetchadd.throughput"],
             ["message.hotspot", "fetchadd.hotspot"]]

CASES = [
    {"name": "payload", "ours": "payload_gasnet", "peer": "payload_mpi",
     "arguments": [], "quick": ["--from", "4096", "--to", "16384", "--ms", "1", "--samples", "1"],
     "units": [2], "places": ["node", "virtual", "hosts"],
     "within": [["payload.fixed", "payload.negotiated"]],
     "what": "Ping-pong of active messages whose data the sender computes: in its own buffer (fixed), or directly in the "
             "message (negotiated). Medium messages up to 64 KiB, long ones up to 256 KiB. The peer: MPI_Send and MPI_Recv."},
    {"name": "immediate", "ours": "immediate_gasnet",
     "arguments": ["--messages", "4000", "--samples", "2"], "quick": ["--messages", "500", "--samples", "1"],
     "units": [4, 8], "places": ["node", "virtual", "hosts"],
     "within": [["immediate.inorder", "immediate.skip"], ["immediate.inorder", "immediate.poll"]],
     "what": "Unit 0 sends 4000 messages to each of the others, which run their handlers every 0.5 ms only. inorder: it blocks "
             "while a queue is full; skip: with GEX_FLAG_IMMEDIATE it goes on to the next target; poll: and polls before that. "
             "The variant is the order in which it would like to send: target by target, one by one, or eight by eight."},
    {"name": "flood", "ours": "flood_gasnet", "peer": "flood_mpi",
     "arguments": [], "quick": ["--from", "4096", "--to", "16384", "--ms", "1", "--samples", "1"],
     "units": [2], "places": ["node", "virtual", "hosts"],
     "within": [["flood.late", "flood.early"], ["flood.late", "flood.now"]],
     "what": "Puts from one source buffer that is written anew before each. late: when the put before is complete; early: when "
             "it is complete locally; now: when its call has returned. The peer: MPI_Put with flush, MPI_Rput with wait, MPI_Put "
             "with flush_local."},
    {"name": "flood-4", "ours": "flood_gasnet", "peer": "flood_mpi",
     "arguments": ["--sources", "4"],
     "quick": ["--sources", "4", "--from", "4096", "--to", "16384", "--ms", "1", "--samples", "1"],
     "units": [2], "places": ["node", "virtual", "hosts"],
     "within": [["flood.late", "flood.early"], ["flood.late", "flood.now"]],
     "what": "The same from four source buffers in turn."},
    {"name": "fetchadd", "ours": "fetchadd_gasnet", "peer": "fetchadd_mpi",
     "arguments": [], "quick": ["--ms", "1", "--samples", "1"],
     "units": [2, 4, 8], "rounds": {4: 2, 8: 1}, "places": ["node", "virtual"], "within": _MESSAGES,
     "what": "Fetch-add of 8 bytes: one after another and 64 at a time from unit 0 to the last unit, and 64 at a time from all "
             "units on one counter of unit 0. message: the same by active messages. The peer: MPI_Fetch_and_op and flush."},
    {"name": "fetchadd between hosts", "ours": "fetchadd_gasnet", "peer": "fetchadd_mpi",
     "arguments": [], "quick": ["--ms", "1", "--samples", "1"], "units": [2], "places": ["hosts"], "within": _MESSAGES,
     "what": "The same between hosts on two units: with more units than cores, MPI takes a minute and more for a row."},
    {"name": "fetchadd-many", "ours": "fetchadd_gasnet", "peer": "fetchadd_mpi",
     "arguments": ["--samples", "2"], "quick": ["--ms", "1", "--samples", "1", "--window", "4"],
     "units": [16, 32], "places": ["node", "virtual"],
     "within": [["message.hotspot", "fetchadd.hotspot"]],
     "what": "The same with more units than cores."},
    {"name": "strided", "ours": "strided_gasnet", "peer": "strided_mpi",
     "arguments": ["--samples", "3"], "quick": ["--from", "64", "--ms", "1", "--samples", "1"],
     "units": [2], "places": ["node", "virtual", "hosts"],
     "within": [["strided.1d", "strided." + d] for d in _DIMENSIONS[1:]]
               + [["packed.fixed." + d, "strided." + d] for d in _DIMENSIONS]
               + [["packed.fixed." + d, "packed.negotiated." + d] for d in _DIMENSIONS],
     "what": "Blocking puts of 4096 elements of 8 and of 64 bytes, described in 1, 3, 8 and 32 dimensions. foldable: all are the "
             "1-d vector in other words; padded: each dimension has padding. packed: the program packs, into active messages of "
             "fixed or negotiated payload. The peer: MPI_Put with nested vector types; packed by the program and sent; sent with "
             "the vector type."},
]
