/* Agents serve requests of other nodes, and move data for units that compute: a progress thread in the first unit of a node, or
 * some processes of each node that are no units. */
#ifndef TSR_CORE_AGENT_H
#define TSR_CORE_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/progress.h"

enum tsr_progress_mode { TSR_PROGRESS_NONE, TSR_PROGRESS_THREAD, TSR_PROGRESS_PROCESS };
struct tsr_progress_plan {
  int32_t mode;        /* enum tsr_progress_mode */
  int32_t processes_n; /* of each node; 0 unless the mode is PROCESS */
};

/* What TESSERA_PROGRESS asks for. A progress thread may call MPI while the program does, if the level of MPI permits that. Warns of
 * a bad value when `report` is set. */
struct tsr_progress_plan tsr_agent_plan(bool may_have_threads, bool report);

/* Every unit calls tsr_agent_start at the start of the runtime; tsr_agent_started once all units have done so, before they leave
 * the start; and tsr_agent_stop at the end, when the units of the node have completed what they gave to agents. */
void tsr_agent_start(void);
void tsr_agent_started(void);
void tsr_agent_stop(void);

/* The life of a progress process, from the launch on. Returns when all units of the node have left. */
void tsr_agent_serve(void);

/* Further work of agents; registered when the library is loaded. */
struct tsr_agent_work {
  void (*start)(void); /* every unit, when the runtime starts */
  bool (*busy)(void);  /* something that came in a record waits to be started */
  int (*go_on)(void);  /* does some work; returns how much was done */
};
void tsr_agent_register(const struct tsr_agent_work *work);

/* Whether units of this node have an agent to give work to, and whether it is a thread of the caller's process. */
bool tsr_agent_exists(void);
bool tsr_agent_is_own_thread(void);

/* Puts a record of up to TSR_RING_INLINE_BYTES into the ring of the caller's agent, and wakes it. Waits while that is full. */
void tsr_agent_give(enum tsr_record_kind kind, const void *data, uint32_t bytes);

/* Whether the agent can read and write private memory of this unit; false until it has tried, which the first call asks for. */
enum tsr_agent_reach { TSR_REACH_UNKNOWN, TSR_REACH_ASKED, TSR_REACH_GIVEN, TSR_REACH_DENIED };
bool tsr_agent_reaches_us(void);

/* Counts a request that the agent of this process has taken, and the `transfers_n` new transfers that it makes for it (0: the
 * request joins an earlier transfer). */
void tsr_agent_count(unsigned transfers_n);

/* The agent of this process has something to do now. Any thread. */
void tsr_agent_wake(void);

/* A unit will not come back: its agents need not wait for it. */
void tsr_agent_leave(void);

#endif
