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
                "how much the log prints: error, warn, info or debug")
TSR_CONFIG_ENUM(errors, "TESSERA_ERRORS", 0, "report|all|abort",
                "what happens after an error is logged. report: the call returns it as its interface says, and ten "
                "messages of a kind are printed; all: the same, and every message is printed; abort: the job ends")
TSR_CONFIG_INT(virtual_nodes, "TESSERA_VIRTUAL_NODES", 0, 0, 1 << 20,
               "treat the units as if they were on this many nodes, in blocks of consecutive units; 0: real nodes")
TSR_CONFIG_BOOL(alone, "TESSERA_ALONE", 0,
                "accept a job of one unit although the launcher belongs to another MPI and started several "
                "processes")
TSR_CONFIG_BYTES(heap_size, "TESSERA_HEAP_SIZE", 0, 1 << 20, (size_t)1 << 46,
                 "address space of one unit's heap, rounded up to a power of two; 0: derived from the node's memory")
TSR_CONFIG_BYTES(heap_limit, "TESSERA_HEAP_LIMIT", 0, 1 << 20, (size_t)1 << 46,
                 "bytes that all heaps of one node may hold together; 0: what memory and control group allow")
TSR_CONFIG_BYTES(heap_keep, "TESSERA_HEAP_KEEP", (size_t)256 << 20, 0, (size_t)1 << 46,
                 "bytes of freed memory whose pages a unit keeps for later allocations")
TSR_CONFIG_ENUM(heap_commit, "TESSERA_HEAP_COMMIT", 0, "touch|eager",
                "when the pages of an allocation get memory. touch: at first touch; eager: all at allocation")
TSR_CONFIG_ENUM(attach, "TESSERA_ATTACH", 0, "auto|on|off",
                "whether the kernel copies private and registered memory between units of one node. on: where it is permitted; "
                "auto: the same, but short messages and collectives only if a measurement at the start finds that faster; off: "
                "never")
TSR_CONFIG_INT(spin_us, "TESSERA_SPIN_US", 50, 0, 1000000,
               "microseconds that a wait spins before it sleeps, while every awake unit has a core")
TSR_CONFIG_BYTES(eager_limit, "TESSERA_EAGER_LIMIT", 0, 1 << 10, 1 << 20,
                 "largest payload that is sent inside a request between nodes; longer payloads are sent separately. 0: 32K where "
                 "MPI or UCX is known to send so much at once, else 16K")
TSR_CONFIG_INT(wire_buffers, "TESSERA_WIRE_BUFFERS", 64, 2, 4096,
               "requests that a process may have under way to each process that serves requests on another node; "
               "further requests wait for a free buffer")
TSR_CONFIG_BYTES(wire_buffer_size, "TESSERA_WIRE_BUFFER_SIZE", 16 << 20, 64 << 10, (size_t)1 << 30,
                 "largest part of a transfer between nodes that is sent as one message; longer transfers are sent "
                 "as several messages at once")
TSR_CONFIG_BYTES(mpi_eager_limit, "TESSERA_MPI_EAGER_LIMIT", 128 << 10, 0, 16 << 20,
                 "longest message that an MPI over TCP is told to send at once, without an agreement with its receiver; transfers "
                 "of contiguous data between nodes of up to this and the eager limit together move in such messages. 0: the MPI's "
                 "own limit")
TSR_CONFIG_INT(wire_delay_us, "TESSERA_WIRE_DELAY_US", 0, 0, 1000000,
               "for tests: microseconds by which requests, replies and messages of other nodes are delayed; has no "
               "effect on what MPI itself does (collectives, TESSERA_NET_RMA=mpi3)")
TSR_CONFIG_TEXT(
    progress, "TESSERA_PROGRESS", "thread",
    "what serves requests of other nodes while units compute. none: requests wait until a unit makes a call; "
    "thread: a progress thread in the first unit of each node; process:N: N processes of each node, which are not "
    "units")
TSR_CONFIG_BYTES(offload, "TESSERA_OFFLOAD", 16 << 10, 1, (size_t)1 << 46,
                 "a progress agent moves the data of non-blocking transfers of at least this many bytes, so that "
                 "the unit can compute meanwhile")
TSR_CONFIG_BYTES(am_pool, "TESSERA_AM_POOL", 4 << 20, 256 << 10, (size_t)1 << 30,
                 "memory of a unit for the data of requests (active messages) that their targets have not handled; a "
                 "quarter of this size is added for replies, and both sizes again for data received from other nodes")
TSR_CONFIG_ENUM(shmem_data, "TESSERA_SHMEM_DATA", 0, "auto|requests",
                "how OpenSHMEM reaches static variables of other PEs. auto: their pages are mapped into the heap, where that is "
                "possible; requests: the kernel copies, or the owner serves requests")
TSR_CONFIG_ENUM(net, "TESSERA_NET", 0, "auto|mpi|ucx",
                "what carries messages between nodes. mpi: the MPI; ucx: UCX; auto: UCX where there is a device for "
                "verbs (InfiniBand, RoCE), else the MPI")
TSR_CONFIG_TEXT(ucx_library, "TESSERA_UCX_LIBRARY", "libucp.so.0",
                "the library of UCX that TESSERA_NET=ucx opens: a name or a path")
TSR_CONFIG_ENUM(ucx_rma, "TESSERA_UCX_RMA", 2, "auto|on|off",
                "whether contiguous puts and gets over UCX are one-sided operations that need no process of the target's "
                "node. auto: with an active device for verbs, if a probe at the start shows that they need none; on: the "
                "start fails if the probe shows that they need one; off: they are requests")
TSR_CONFIG_ENUM(ucx_memory, "TESSERA_UCX_MEMORY", 0, "heap|test",
                "for tests. heap: UCX registers the heaps; test: it allocates them, with TESSERA_UCX_TLS=sysv,self and one "
                "process on each node")
TSR_CONFIG_ENUM(net_rma, "TESSERA_NET_RMA", 0, "twosided|mpi3",
                "how contiguous puts and gets between nodes are sent. twosided: as requests that the target's node "
                "serves; mpi3: by MPI_Rput and MPI_Rget on an MPI window over the heaps")
TSR_CONFIG_ENUM(mpi_threads, "TESSERA_MPI_THREADS", 0, "multiple|keep",
                "thread level to request when starting MPI. multiple: MPI_THREAD_MULTIPLE; keep: the level that the "
                "program requests")
TSR_CONFIG_TEXT(coll_table, "TESSERA_COLL_TABLE", "",
                "file with rows that choose the message algorithms of collectives, as tessera-tune writes it; unit "
                "0 reads it for all units")
TSR_CONFIG_INT(barrier_degree, "TESSERA_BARRIER_DEGREE", 4, 2, 64,
               "fan-in of the tree in which members on one node arrive at a barrier, for more than four members: 2, "
               "4, 8, 16, 32 or 64; other values are rounded down. The first unit of a node decides for all its "
               "units")
TSR_CONFIG_ENUM(topology, "TESSERA_TOPOLOGY", 0, "auto|system",
                "source of information on the hardware. auto: hwloc, if Tessera was built with it; system: /sys and "
                "/proc")
TSR_CONFIG_BOOL(check, "TESSERA_CHECK", 0,
                "extra checks: that all members of a team make the same collective call, which costs one more "
                "exchange per call; accesses of two units of a node to the same bytes that nothing orders (a sample); at "
                "the end of DART, ARMCI and the native interface, what the program has not freed; in ARMCI also that the "
                "pieces of a destination do not overlap and were not freed")
TSR_CONFIG_BOOL(stats, "TESSERA_STATS", 0,
                "at exit, print calls, bytes and time of each kind of operation: totals of all units, and the spread over them. A "
                "unit that dies prints its own")
TSR_CONFIG_TEXT(stats_file, "TESSERA_STATS_FILE", "",
                "at exit, write the statistics of all units to this file. NAME.json and NAME.csv: those of each unit, with sizes; "
                "another name: the table that TESSERA_STATS prints. Unit 0 writes it")
TSR_CONFIG_TEXT(trace, "TESSERA_TRACE", "",
                "write a timeline to this file, one file per unit with .UNIT appended to its name")
TSR_CONFIG_INT(watchdog_s, "TESSERA_WATCHDOG", 60, 0, 1000000,
               "report waits longer than this many seconds: which unit waits for what. One unit of a node reports: on the first "
               "node, on nodes with a unit that does not wait, and where units wait for each other; with TESSERA_ERRORS=all every "
               "unit. 0: never. The signal SIGUSR1 makes a unit report at once")
TSR_CONFIG_INT(exit_timeout_s, "TESSERA_EXIT_TIMEOUT", 30, 0, 86400,
               "seconds that a unit which returns from main without the exit function of its interface waits for "
               "the other units to do the same, before the job ends with an error; 0: does not wait. Programs of "
               "OpenSHMEM wait without limit unless it is set")
TSR_CONFIG_INT(node_timeout_s, "TESSERA_NODE_TIMEOUT", 60, 0, 86400,
               "end the job if a node does not respond for this many seconds, for example because a link is down; "
               "0: never")
TSR_CONFIG_INT(monitor_degree, "TESSERA_MONITOR_DEGREE", 32, 1, 4096,
               "degree of the tree of links between the monitors of the nodes, through which nodes learn of a death; the "
               "same on all nodes")
