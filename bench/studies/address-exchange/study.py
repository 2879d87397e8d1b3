"""Collectives of an MPI on a machine with globally addressable memory: ranks exchange addresses, and then copy by themselves. The
same algorithms run on Tessera's native interface and on MPI, beside the collectives of either library."""

TITLE = "Collectives by address exchange"
HEADLINES = [
    "A barrier of two processes takes 3.3 us.",
    "Broadcast and allreduce of long messages gain from several copies at once, compared with algorithms of sends and receives.",
]

AIMS, MISSES = [], {}

LIMITS = [
    "The Cray X1 has one memory that all processors of many nodes address, and vector units that fill it. Here addresses are "
    "valid inside a node, and between virtual nodes that are one host; between hosts only messages are possible.",
    "Several copies at once gain where each has a core and memory bandwidth of its own; with two cores two copies share both.",
    "Barriers of more units than cores show how waiting units give way to each other. Of a core for each unit the prediction says "
    "more.",
]
PICTURES = [("barrier", "barrier.library", "plain"), ("long", "allreduce.library", "plain")]
PREDICTED = {"per_node": 64, "units": [2, 8, 64, 1024, 16384]}

LONG = ["--bytes", "131072,524288,2097152", "--samples", "5", "--milliseconds", "50"]
QUICK = ["--bytes", "8192", "--samples", "1", "--milliseconds", "1"]
PEER = "collectives_mpi"
WAYS = [
    ["barrier.messages", "barrier.addresses", "barrier.library"],
    ["bcast.binomial", "bcast.scattered", "bcast.addresses", "bcast.library"],
    ["allreduce.doubling", "allreduce.ring", "allreduce.addresses", "allreduce.library"],
    ["allgather.ring", "allgather.addresses", "allgather.library"],
    ["alltoall.pairs", "alltoall.addresses", "alltoall.library"],
]


def case(name, works, arguments, units, places, what):
    return {"name": name, "ours": "collectives_native", "peer": PEER, "arguments": ["--works", works, *arguments],
            "quick": ["--works", works, *QUICK], "units": units, "places": places, "what": what,
            "within": [ways for ways in WAYS if ways[0].split(".")[0] in works.split(",")]}


CASES = [
    case("barrier", "barrier", ["--samples", "5", "--milliseconds", "50"], [2, 3, 4, 8, 16], ["node"],
         "A barrier against the number of units, in three ways: by messages (dissemination), by stores to the memory of the "
         "others, and the library's own."),
    case("long", "bcast,allreduce,allgather,alltoall", LONG, [2], ["node"],
         "Bandwidth of long messages on two units: bytes of the buffer, for allgather and alltoall of the blocks of all units, "
         "by the time of a call. Messages are the usual algorithms of sends and receives; with address exchange each unit copies "
         "by itself. bytes are those of the vector, or of one block."),
    case("long.streams", "bcast,allreduce", LONG, [4], ["node"],
         "Broadcast and allreduce on 4 units, where several units copy at once as far as there are cores."),
    case("virtual", "barrier,bcast,allreduce", LONG, [4], ["virtual"],
         "The same programs on 2 virtual nodes: addresses are valid between nodes, too, where a unit copies by a get."),
    case("between", "barrier,bcast,allreduce", LONG, [2], ["hosts"],
         "Between hosts. The peer has no address exchange there, because it has no memory that both ranks can load from."),
]
