"""Global Arrays over an ARMCI whose progress threads block instead of polling. Debian's Global Arrays runs over Tessera's ARMCI,
and over ARMCI-MPI as the peer; wire_mpi is the bare wire: the same bytes as messages of MPI."""

TITLE = "Global Arrays"
HEADLINES = [
    "The transposition of 6400 x 6400 integers is up to two orders of magnitude faster if the progress threads block, where "
    "processes fill all cores.",
    "How fast a get is depends on the limit up to which its data travels in the reply (eager or rendezvous), and on the number "
    "and size of the buffers. It is compared with the bare wire.",
]

# With Debian's ARMCI-MPI on MPICH 4.0 a Global Array has wrong elements unless this is set; without it the peer's programs fail.
PEER = {"ARMCI_USE_WIN_ALLOCATE": "0"}

SIZES = ["--bytes", "8,1024,8192,16384,65536,262144,1048576"]
GETS = ["--works", "get", *SIZES, "--repeat", "20", "--samples", "5"]
PUTS = ["--works", "puts", "--bytes", "8,1024,16384", "--repeat", "2", "--samples", "5"]
PIECES = ["--works", "get,stream", "--bytes", "1048576,4194304,16777216", "--samples", "5"]
QUICK_WIRE = ["--bytes", "8,32768", "--repeat", "1", "--samples", "1"]
OVERSUBSCRIBED = ["--n", "1600", "--columns", "32", "--repeat", "2", "--syncs", "3"]
QUICK_TRANSPOSE = ["--n", "200", "--columns", "4", "--repeat", "1", "--syncs", "1"]


def transpose(name, places, units, arguments, what, **more):
    return {"name": name, "ours": "transpose_ga", "peer": "transpose_ga", "arguments": arguments, "quick": QUICK_TRANSPOSE,
            "units": units, "places": places, "peer_environment": PEER, "what": what, **more}


def wire(name, arguments, what, places=("hosts",), quick="get,stream,puts", peer="wire_mpi", **environment):
    return {"name": name, "ours": "wire_ga", "peer": peer, "arguments": arguments, "quick": ["--works", quick, *QUICK_WIRE],
            "units": [2], "places": list(places), "environment": environment, "peer_environment": PEER, "what": what}


def oversubscribed_agents(name, progress):
    return transpose(name, ["virtual"], [16], OVERSUBSCRIBED,
                     "16 units on the cores of this machine, as 2 nodes that exchange messages, with "
                     f"TESSERA_PROGRESS={progress}.",
                     environment={"TESSERA_PROGRESS": progress}, peer=None)


AIMS = [
    {"name": "blocking", "what": "GA_Transpose on 16 units, more than there are cores, where agents and units block, against "
     "ARMCI-MPI", "least": 10,
     "rows": lambda row: (row["case"], row["work"], row["units"]) == ("oversubscribed", "transpose.library", 16)},
    {"name": "naive", "what": "The naive transposition, against ARMCI-MPI", "least": 2,
     "rows": lambda row: row["work"] == "transpose.naive" and not row["case"].startswith("oversubscribed")},
]

# Why the last run missed an aim, by its rows, traces or statistics. An empty text: no run on a quiet machine has shown the reason yet.
MISSES = {
    "blocking": "Open MPI's processes yield their core in each poll where there are more of them than cores, so that they lose little: "
                "55 ms. MPICH's do not yield: 311 ms. Ours takes 6.5 to 6.8 ms with either MPI.",
    "naive": "with MPICH. Between hosts each column and each row is one request on both sides, and takes a round trip. Inside a node both "
             "sides read one element of each of thousands of rows, 38 KB apart: 23 to 27 ns for each, about the time of a cache miss. "
             "With Open MPI, which sends each element by itself, ours is 26 to 250 times as fast.",
}

LIMITS = [
    "A Cray network, and thousands of processes with an agent on each node: here 16 units fill the cores of one machine many "
    "times over, which makes the same choice between polling and blocking matter.",
    "Agents of ours that poll: they block wherever cores are short, and no variable makes them poll. The peer's processes poll.",
    "Eager limit, buffers and pieces are measured over TCP between namespaces of one machine, not over the study's network.",
]
PICTURES = [("wire", "wire.get", "plain")]
PREDICTED = {"per_node": 64, "units": [64, 1024, 16384]}  # GA_Sync is a barrier

CASES = [
    transpose("transpose", ["node", "virtual"], [2], ["--n", "6400", "--columns", "128", "--repeat", "2"],
              "6400 x 6400 integers. transpose.library is GA_Transpose; transpose.naive gets a column and puts it as a row, for "
              "128 of the columns; transpose.sync is GA_Sync."),
    transpose("transpose.large", ["node"], [2], ["--n", "9600", "--columns", "64", "--repeat", "1"],
              "The same with 9600 x 9600 integers; the naive way for 64 of the columns."),
    transpose("transpose.between", ["hosts"], [2], ["--n", "3200", "--columns", "0", "--repeat", "1"],
              "GA_Transpose of 3200 x 3200 integers, half of which go to the other host."),
    transpose("transpose.between.naive", ["hosts"], [2], ["--n", "800", "--columns", "4", "--repeat", "1", "--syncs", "5"],
              "4 columns of 800 x 800 integers in the naive way: ARMCI-MPI on Open MPI sends each element of a column by itself."),

    transpose("oversubscribed", ["node"], [16], OVERSUBSCRIBED,
              "1600 x 1600 integers on 16 units, more than there are cores. Waiting units of Tessera block. Those of ARMCI-MPI "
              "poll, as its MPI does. No variable makes Tessera's units or progress agents poll when cores are short."),
    transpose("oversubscribed.between", ["hosts"], [4], ["--n", "400", "--columns", "0", "--repeat", "1", "--syncs", "2"],
              "400 x 400 integers on 4 units of 2 hosts that share the cores of this machine."),
    oversubscribed_agents("oversubscribed.none", "none"),
    oversubscribed_agents("oversubscribed.thread", "thread"),
    oversubscribed_agents("oversubscribed.process", "process:1"),

    wire("wire", ["--works", "get,stream", *SIZES, "--repeat", "10", "--samples", "5"],
         "Unit 0 reads from unit 1: wire.get one block after the other, wire.stream 8 at once. wire_mpi is the bare wire: a "
         "request and an answer of the same bytes as messages, for which the other rank has to call MPI.",
         places=("node", "virtual", "hosts"), quick="get,stream"),
    wire("wire.puts", PUTS, "256 puts in a row and a fence, the time of one. The bare wire: 256 messages and one answer.",
         quick="puts"),
    wire("wire.armci-mpi", ["--works", "get,puts", "--bytes", "8,16384", "--repeat", "1", "--samples", "3"],
         "A few gets and puts beside Global Arrays over ARMCI-MPI, which is slow between hosts.", places=("node", "hosts"),
         quick="get,puts", peer="wire_ga"),
    wire("wire.none", GETS, "Gets with TESSERA_PROGRESS=none.", quick="get", TESSERA_PROGRESS="none"),
    wire("wire.process", GETS, "Gets with TESSERA_PROGRESS=process:1.", quick="get", TESSERA_PROGRESS="process:1"),
    wire("wire.eager-1K", GETS, "Gets with TESSERA_EAGER_LIMIT=1K (the default is 32K): all longer data is a message of its own "
         "(rendezvous).", quick="get", TESSERA_EAGER_LIMIT="1K"),
    wire("wire.eager-1M", GETS, "The same with 1M: all data is in the reply (eager).", quick="get", TESSERA_EAGER_LIMIT="1M"),
    wire("wire.buffers-4", PUTS, "Puts with TESSERA_WIRE_BUFFERS=4 (the default is 64): requests that may be under way.",
         quick="puts", TESSERA_WIRE_BUFFERS="4"),
    wire("wire.buffers-256", PUTS, "The same with 256.", quick="puts", TESSERA_WIRE_BUFFERS="256"),
    wire("wire.pieces-64K", PIECES, "Long gets with TESSERA_WIRE_BUFFER_SIZE=64K (the default is 16M): the longest message.",
         quick="get", TESSERA_WIRE_BUFFER_SIZE="64K"),
    wire("wire.pieces-16M", PIECES, "The same with 16M.", quick="get", TESSERA_WIRE_BUFFER_SIZE="16M"),
]
