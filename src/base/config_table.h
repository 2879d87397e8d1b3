/* Every TESSERA_* variable, once. The parser, tessera-info, the manual page and the documentation are made
 * from this table. No include guard: it is included with different definitions of the row macros.
 *
 *   TSR_CONFIG_BYTES(field, "NAME", default, min, max, help)   sizes, with suffix K M G T (powers of 1024)
 *   TSR_CONFIG_INT(field, "NAME", default, min, max, help)
 *   TSR_CONFIG_BOOL(field, "NAME", default, help)              0/1, no/yes, off/on, false/true
 *   TSR_CONFIG_ENUM(field, "NAME", default, "word|word|...", help)  the value is the word's index
 *   TSR_CONFIG_TEXT(field, "NAME", default, help)              a string
 */
TSR_CONFIG_ENUM(log_level, "TESSERA_LOG", 1, "error|warn|info|debug",
                "how much the log says: error, warn, info or debug")
TSR_CONFIG_ENUM(errors, "TESSERA_ERRORS", 0, "report|all|abort",
                "what follows when an error is logged: report (the call returns it, as its interface says; ten of a kind are "
                "printed), all (the same, and all are printed) or abort (the job ends)")
TSR_CONFIG_INT(virtual_nodes, "TESSERA_VIRTUAL_NODES", 0, 0, 1 << 20,
               "pretend that the units sit on this many nodes, in blocks of consecutive units; 0: real nodes")
TSR_CONFIG_BOOL(alone, "TESSERA_ALONE", 0,
                "a job of one unit is meant, although a launcher whose MPI is another one started several processes")
TSR_CONFIG_BYTES(heap_size, "TESSERA_HEAP_SIZE", 0, 1 << 20, (size_t)1 << 46,
                 "address space of one unit's heap, rounded up to a power of two; 0: from the node's memory")
TSR_CONFIG_BYTES(heap_limit, "TESSERA_HEAP_LIMIT", 0, 1 << 20, (size_t)1 << 46,
                 "bytes that all heaps of one node may hold; 0: what memory and control group allow")
TSR_CONFIG_BYTES(heap_keep, "TESSERA_HEAP_KEEP", (size_t)256 << 20, 0, (size_t)1 << 46,
                 "freed bytes whose pages a unit keeps for its next allocation")
TSR_CONFIG_ENUM(heap_commit, "TESSERA_HEAP_COMMIT", 0, "touch|eager",
                "when pages come: at first touch, or all at allocation")
TSR_CONFIG_ENUM(attach, "TESSERA_ATTACH", 0, "auto|off",
                "whether the kernel copies to and from registered memory of other units of the node: auto (where it may) "
                "or off")
TSR_CONFIG_INT(spin_us, "TESSERA_SPIN_US", 50, 0, 1000000,
               "how long a wait spins before it sleeps, when every awake unit has a core, in microseconds")
TSR_CONFIG_BYTES(eager_limit, "TESSERA_EAGER_LIMIT", 16 << 10, 1 << 10, 1 << 20,
                 "largest payload that travels inside a request between nodes")
TSR_CONFIG_INT(wire_buffers, "TESSERA_WIRE_BUFFERS", 64, 2, 4096,
               "requests that one process may have under way to each process of another node that serves it; more wait for "
               "a free buffer")
TSR_CONFIG_BYTES(wire_buffer_size, "TESSERA_WIRE_BUFFER_SIZE", 16 << 20, 64 << 10, (size_t)1 << 30,
                 "largest piece of a transfer between nodes that is one message; longer ones travel as several at once")
TSR_CONFIG_INT(wire_delay_us, "TESSERA_WIRE_DELAY_US", 0, 0, 1000000,
               "for tests: requests, replies and messages of other nodes take effect this many microseconds later; what MPI "
               "itself does (collectives, TESSERA_NET_RMA=mpi3) does not")
TSR_CONFIG_TEXT(
    progress, "TESSERA_PROGRESS", "thread",
    "who serves requests of other nodes while units compute: none (they wait until a unit calls in), thread (a "
    "progress thread in the first unit of each node) or process:N (N processes of each node, which are no units)")
TSR_CONFIG_BYTES(offload, "TESSERA_OFFLOAD", 16 << 10, 1, (size_t)1 << 46,
                 "from how many bytes on an agent moves the data of a non-blocking transfer, so that the unit can compute")
TSR_CONFIG_BYTES(am_pool, "TESSERA_AM_POOL", 4 << 20, 256 << 10, (size_t)1 << 30,
                 "memory of a unit for the data of active messages that their targets have not handled: requests; a quarter of "
                 "it again for replies, and as much for what an endpoint has received")
TSR_CONFIG_ENUM(net_rma, "TESSERA_NET_RMA", 0, "twosided|mpi3",
                "how contiguous puts and gets between nodes travel: twosided (requests that the target's node serves) or mpi3 "
                "(MPI_Rput and MPI_Rget on a window over the heaps)")
TSR_CONFIG_ENUM(mpi_threads, "TESSERA_MPI_THREADS", 0, "multiple|keep",
                "thread level that MPI is asked for at its start: multiple, or keep, which leaves it as the program wants it")
TSR_CONFIG_TEXT(coll_table, "TESSERA_COLL_TABLE", "",
                "file with rows for the choice of message algorithms, as tessera-tune writes it; unit 0 reads it for all")
TSR_CONFIG_INT(barrier_degree, "TESSERA_BARRIER_DEGREE", 4, 2, 64,
               "how many members, or groups of them, meet in one line of the tree in which more than four members on a node "
               "arrive at a barrier: 2, 4, 8, 16, 32 or 64; others are rounded down. The first unit of a node says it for all")
TSR_CONFIG_ENUM(topology, "TESSERA_TOPOLOGY", 0, "auto|system",
                "where the hardware is read from: auto takes hwloc when built with it, system takes /sys and /proc")
TSR_CONFIG_BOOL(check, "TESSERA_CHECK", 0,
                "extra checks: whether all members of a team make the same collective call, at the price of one more exchange; "
                "of ARMCI, whether pieces of a destination overlap or were freed")
TSR_CONFIG_BOOL(stats, "TESSERA_STATS", 0, "print calls, bytes and time of each operation at exit")
TSR_CONFIG_TEXT(trace, "TESSERA_TRACE", "", "write a timeline to this file, one per unit with .UNIT appended")
TSR_CONFIG_INT(watchdog_s, "TESSERA_WATCHDOG", 0, 0, 1000000,
               "report waits longer than this many seconds: who waits for what; 0: never")
TSR_CONFIG_INT(exit_timeout_s, "TESSERA_EXIT_TIMEOUT", 30, 0, 86400,
               "how long a unit that returns from main without the exit function of its interface waits for the other units to do "
               "so as well, in seconds, before the job ends with an error; 0: not at all")
TSR_CONFIG_INT(node_timeout_s, "TESSERA_NODE_TIMEOUT", 60, 0, 86400,
               "end the job when a node has given no sign of life for this many seconds, as when a link is cut; 0: never")
TSR_CONFIG_INT(monitor_degree, "TESSERA_MONITOR_DEGREE", 32, 1, 4096,
               "how many nodes each node's monitor has links to in the tree through which nodes learn of a death; the same on all nodes")
