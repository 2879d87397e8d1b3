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
TSR_CONFIG_INT(virtual_nodes, "TESSERA_VIRTUAL_NODES", 0, 0, 1 << 20,
               "pretend that the units sit on this many nodes, in blocks of consecutive units; 0: real nodes")
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
TSR_CONFIG_BYTES(eager_limit, "TESSERA_EAGER_LIMIT", 8 << 10, 1 << 10, 1 << 20,
                 "largest payload that travels inside a request between nodes")
TSR_CONFIG_BYTES(wire_chunk, "TESSERA_WIRE_CHUNK", 16 << 20, 64 << 10, (size_t)1 << 30,
                 "largest piece of a transfer between nodes that is one message")
TSR_CONFIG_INT(wire_slots, "TESSERA_WIRE_SLOTS", 64, 2, 4096,
               "requests to other nodes that one unit may have outstanding")
TSR_CONFIG_ENUM(topology, "TESSERA_TOPOLOGY", 0, "auto|system",
                "where the hardware is read from: auto takes hwloc when built with it, system takes /sys and /proc")
TSR_CONFIG_BOOL(check, "TESSERA_CHECK", 0,
                "extra checks: whether all members of a team make the same collective call, at the price of one more exchange")
TSR_CONFIG_BOOL(stats, "TESSERA_STATS", 0, "print calls, bytes and time of each operation at exit")
TSR_CONFIG_TEXT(trace, "TESSERA_TRACE", "", "write a timeline to this file, one per unit with .UNIT appended")
TSR_CONFIG_INT(watchdog_s, "TESSERA_WATCHDOG", 0, 0, 1000000,
               "report waits longer than this many seconds: who waits for what; 0: never")
