/* Start and end. The runtime is up while at least one interface is. */
#ifndef TSR_CORE_RUNTIME_H
#define TSR_CORE_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "base/status.h"
#include "core/api.h"
#include "core/place.h"

/* Each interface starts the runtime once and ends it once. The end frees all objects of the interface. Collective over the job;
 * both return when every unit has called. TESSERA_ERR_STATE: the interface is up, or the runtime is up on another job than `how`
 * names. */
struct tsr_launch; /* core/launch.h */
tessera_status_t tsr_runtime_up(enum tsr_api api, const struct tsr_launch *how);
void tsr_runtime_down(enum tsr_api api);

extern _Atomic bool tsr_runtime_is_up; /* a thread that ends the process may clear it while another one reads it */
extern bool tsr_api_is_up[TSR_APIS_N];

/* Sets how an interface ends: its exit function, collective over the job. Each interface calls this when it starts. */
void tsr_runtime_at_finish(enum tsr_api api, void (*finish)(void));
/* Ends all that are up, in the same order on all units. Collective over the job. */
void tsr_runtime_finish(void);

/* Logs "CALL: called before initialisation or after exit" and returns TESSERA_ERR_STATE. */
tessera_status_t tsr_runtime_not_up(const char *call);

/* Ends the whole job with this exit code (never 0), after one message. */
_Noreturn void tsr_abort(int code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* The same without a message; the code may be 0. For an interface whose programs may end in this way. */
_Noreturn void tsr_leave(int code);
/* Writes what this process has counted: messages that were not printed, and statistics. For a process that ends without its exit
 * handlers, also inside a handler of a signal. */
void tsr_runtime_print_counts(void);
/* Called when this process is about to end alone, and not by a call of the library. Its end then leaves the runtime and MPI as they
 * are. */
void tsr_runtime_abandon(void);

/* Whether several threads may be inside the library at once; set by an interface, never reset while the runtime is up. */
extern bool tsr_threads;

/* On one node: whether this unit has, or is about to have, a progress thread. With more nodes there may be one at any time. */
extern _Atomic bool tsr_progress_thread_serves;

/* Whether no other thread of this process, of the program or a progress thread, can be inside the library. */
static inline bool tsr_alone(void) {
  /* In this order, so that a progress thread never reads tsr_threads while an interface may set it. */
  bool helped = tsr_place.nodes_n > 1 || atomic_load_explicit(&tsr_progress_thread_serves, memory_order_relaxed);
  return __builtin_expect(!helped && !tsr_threads, 1);
}

/* Whether several threads can be inside the library: always on one node; on more nodes if MPI lets several threads call it, or if
 * UCX carries the messages. Known once the runtime is up. */
extern bool tsr_threads_possible;

/* Whether threads are possible, and the program has started MPI with MPI_THREAD_MULTIPLE. An interface whose start has no
 * parameter for threads then expects calls of several threads. */
extern bool tsr_threads_expected;

#endif
