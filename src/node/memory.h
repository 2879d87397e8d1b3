/* The memory that the units of a node share besides their heaps: the control block at the start of the node's memory. Layout:
 * control block, per-unit records, rings, common area; then, from the next 2 MiB boundary, the slices; then the transport's
 * area. */
#ifndef TSR_NODE_MEMORY_H
#define TSR_NODE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/wait.h"
#include "node/ring.h"
#include "node/topology.h"

enum {
  TSR_STRIPES_N = 4096,
  TSR_TRACES_N = 1024,
  TSR_NODE_LAYOUT = 12,
  TSR_NODE_AGENTS_MAX = 8,
  TSR_NODE_UNITS_MAX = 4096,
  TSR_COMMON_BYTES_PER_UNIT = 136 << 10 /* sync area and bounce buffers of the world: tests/unit/test_footprint.c */,
  TSR_NET_BYTES_PER_RANK = 8 << 10 /* of the job: twice the longest UCX address, and more */
};

/* State of a unit, for the other units of the node. */
enum tsr_unit_state { TSR_UNIT_ABSENT, TSR_UNIT_UP, TSR_UNIT_DOWN /* between exit and init */, TSR_UNIT_GONE /* ended in order */ };

struct tsr_node_unit {
  TSR_ALIGNED_LINE tsr_word bell;
  _Atomic uint32_t watches_n;           /* threads that wait for a change of its memory: operations ring the doorbell */
  _Atomic uint32_t moves;               /* counts what other units did for its transfers: p2p */
  TSR_ALIGNED_LINE _Atomic int32_t pid; /* as the node's monitor sees it; 0: unknown */
  int32_t unit;                         /* number in the world */
  _Atomic int32_t state;                /* enum tsr_unit_state */
  int32_t ends_n;                       /* how often it has come to the end of the program: core/finish */
  atomic_bool has_left;                 /* the node's agents need not wait for it */
  atomic_bool has_aborted;              /* has asked the launcher to end the job */
  _Atomic int32_t last_signal;          /* fatal signal that it is dying of; 0: none */
  struct tsr_wait_why why;              /* why it waits */
  _Atomic int32_t locks_n;              /* locks that it holds */
  _Atomic uint32_t syncs_n;             /* counts how often it has synchronised, with TESSERA_CHECK=1: core/conflict */
  _Atomic int64_t spare_bytes;          /* reserved for its heap, and in no live block */
  struct tsr_cpu_set cpus;              /* the CPUs that it could run on when the node formed */
  int32_t cpu;                          /* the CPU that it ran on then */
  int32_t attach_pid;                   /* as the unit sees itself, for node/attach; 0: it does not want to be reached */
  _Atomic int32_t agent_reach;          /* enum tsr_agent_reach: whether its agent may read and write its private memory */
  uint64_t attach_token, attach_at;     /* a random number, and where the unit has it in its own memory */
  TSR_ALIGNED_LINE _Atomic uint32_t blocks_given; /* counts blocks of its pools that were given back: am/pool */
};

/* Where the units of the node leave work for an agent. */
struct tsr_node_agent {
  TSR_ALIGNED_LINE tsr_word bell;
  _Atomic int32_t state; /* enum tsr_unit_state */
  _Atomic uint64_t requests_n, transfers_n; /* requests that it has taken; transfers that it has made for them */
};

/* The trace of an access, with TESSERA_CHECK=1: core/conflict. */
struct tsr_trace_slot {
  TSR_ALIGNED_LINE _Atomic uint32_t taken; /* a thread looks at it */
  uint32_t unit, heap;                     /* of the node: which accessed, and whose heap */
  uint32_t syncs_n;                        /* of the unit at that time */
  uint64_t begin, end;                     /* offsets; end 0: there is none */
  bool writes;
  char call[31];
};
_Static_assert(sizeof(struct tsr_trace_slot) == TSR_CACHE_LINE || TSR_CACHE_LINE != 64, "a trace is a cache line");

/* Where the limit on all heaps of a node comes from. */
enum tsr_limit_from { TSR_LIMIT_FROM_MACHINE, TSR_LIMIT_FROM_GROUP, TSR_LIMIT_FROM_VARIABLE };

/* Bits of `monitor`. The kernel sets the first one in place of the thread id when the monitor is killed, and keeps the second
 * one, which the monitor sets when it ends the job: FUTEX_OWNER_DIED and FUTEX_WAITERS of a robust futex. */
#define TSR_MONITOR_KILLED 0x40000000u
#define TSR_MONITOR_ENDS_JOB 0x80000000u

struct tsr_node_memory {
  uint64_t nonce;    /* random; a process that reads it here maps the right memory */
  uint32_t layout;   /* TSR_NODE_LAYOUT */
  uint32_t units_n;
  uint64_t heaps_at; /* offset of the first slice in the mapping */
  uint32_t slice_shift;
  uint32_t barrier_shift; /* see TESSERA_BARRIER_DEGREE */
  TSR_ALIGNED_LINE _Atomic int32_t awake_n; /* units and agents that are not asleep */
  struct tsr_wait_no_yield no_yield;              /* see base/wait */
  TSR_ALIGNED_LINE _Atomic int64_t reserved_bytes; /* in live blocks of all heaps, and spare */
  int64_t limit_bytes;                             /* what they may reach */
  int32_t limit_from;                              /* enum tsr_limit_from */
  TSR_ALIGNED_LINE _Atomic int32_t left_n; /* units that will not come back; agents end after the last */
  TSR_ALIGNED_LINE _Atomic int32_t finishing_n; /* how often units have come to the end of the program: core/finish */
  _Atomic int32_t finishing_nodes_n;            /* in the memory of node 0: nodes whose units have all come to the end */
  _Atomic int32_t all_finish;                   /* how often all units of the job have come to the end */
  _Atomic uint64_t hang_reported_ns;            /* when a unit last reported a long wait; 0: never */
  _Atomic uint64_t hang_asked_ns;               /* when a unit last asked other nodes about one; 0: never */
  _Atomic uint32_t watch_ticks;                 /* of the monitor, for the watchdog; 0: no monitor counts them */
  TSR_ALIGNED_LINE tsr_word monitor; /* thread id of the node's monitor, or 0; with the bits above */
  struct tsr_cpu_set cpus;
  struct tsr_node_agent agents[TSR_NODE_AGENTS_MAX];
  TSR_ALIGNED_LINE tsr_word stripes[TSR_STRIPES_N]; /* locks of 16 KiB of heap each, by hash */
  struct tsr_trace_slot traces[TSR_TRACES_N];
  struct tsr_node_unit units[];
};

size_t tsr_memory_control_bytes(uint32_t units_n); /* a multiple of 2 MiB */

/* For the transport: after the heaps, zeroed; pages that it does not use cost nothing. */
static inline size_t tsr_memory_net_bytes(uint32_t ranks_n) { return (size_t)ranks_n * TSR_NET_BYTES_PER_RANK; }

/* Fills in the control block, on zeroed memory. For the node's first unit, before any other unit reads the block. */
void tsr_memory_init(struct tsr_node_memory *memory, uint32_t units_n, unsigned slice_shift, uint64_t nonce);

/* Requests to a unit: any thread of its process may execute them. Active messages: only threads of the program may. */
enum tsr_ring_class { TSR_RING_REQUESTS, TSR_RING_AM_REQUESTS, TSR_RING_AM_REPLIES, TSR_RING_CLASSES_N };
tsr_ring *tsr_memory_ring(struct tsr_node_memory *memory, uint32_t local, enum tsr_ring_class which);

/* Requests of the units to an agent. */
tsr_ring *tsr_memory_agent_ring(struct tsr_node_memory *memory, uint32_t agent);

/* TSR_COMMON_BYTES_PER_UNIT for each unit, zeroed, for what all units of the node share from first to last. */
void *tsr_memory_common(struct tsr_node_memory *memory);

#endif
