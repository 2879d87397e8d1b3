/* Start, end and queries. */
#include "api/shmem/shmem_api.h"

#include <string.h>

#include "base/log.h"
#include "base/status.h"
#include "coll/coll.h"
#include "core/finish.h"
#include "core/launch.h"

static int starts_n; /* calls of shmem_init minus calls of shmem_finalize */
static bool has_ended;
static bool ended_itself; /* without shmem_finalize, for example by MPI_Finalize: the program may still call it */

void tsr_shmem_require(tessera_status_t status, const char *call) {
  if (status) tsr_shmem_die("TSR-5052 %s: the transfer failed: %s; see the line above", call, tessera_status_text(status));
}

static void require_memory(tessera_status_t status, const char *what) {
  if (status) tsr_shmem_die("TSR-5022 shmem_init: no memory for %s; free memory, or use fewer PEs per node", what);
}

static void finish_shmem(void) {
  starts_n = 1;
  pshmem_finalize();
  ended_itself = true;
}

static void start_shmem(const char *call) {
  if (starts_n++ > 0) return;
  if (tsr_runtime_up(TSR_API_SHMEM, &(struct tsr_launch){.call = call}))
    tsr_shmem_die("TSR-5023 %s: the library could not start; see the message above", call);
  tsr_runtime_at_finish(TSR_API_SHMEM, finish_shmem);
  tsr_finish_set_optional(TSR_API_SHMEM, false);
  tsr_shmem_environment_start();
  tsr_shmem_calls_start();
  require_memory(tsr_shmem_teams_start(), "teams");
  tsr_shmem_contexts_start();
  tsr_shmem_memory_start(call);
  require_memory(tsr_shmem_addresses_start(), "static variables");
  tsr_barrier_or_abort(tsr_team_world, call); /* no PE accesses static variables before their pages have moved */
}

void pshmem_init(void) { start_shmem("shmem_init"); }

/* A program that calls start_pes need not call shmem_finalize (OpenSHMEM 1.5, start_pes). */
void start_pes(int npes) {
  (void)npes;
  if (starts_n) return;
  start_shmem("start_pes");
  tsr_finish_set_optional(TSR_API_SHMEM, true);
}

int pshmem_init_thread(int requested, int *provided) {
  if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE)
    tsr_shmem_die("TSR-5024 shmem_init_thread: %d is no thread level; pass SHMEM_THREAD_SINGLE to SHMEM_THREAD_MULTIPLE",
                  requested);
  start_shmem("shmem_init_thread");
  if (requested == SHMEM_THREAD_MULTIPLE && tsr_threads_possible) tsr_threads = true;
  const int possible = requested == SHMEM_THREAD_MULTIPLE && !tsr_threads ? SHMEM_THREAD_SERIALIZED : requested;
  if (possible > tsr_shmem_level) tsr_shmem_set_level(possible);
  if (provided) *provided = tsr_shmem_level;
  return 0; /* also if the level is a lower one */
}

void pshmem_query_thread(int *provided) {
  tsr_shmem_must_be_up("shmem_query_thread");
  *provided = tsr_shmem_level;
}

void pshmem_query_initialized(int *initialized) { *initialized = tsr_shmem_up; }

void pshmem_finalize(void) {
  if (!tsr_shmem_up && has_ended) { /* older programs call it once more at the end */
    if (ended_itself) return;
    tsr_warn("TSR-5063 shmem_finalize: the library has ended already, and nothing is done; call it once for each shmem_init");
    return;
  }
  TSR_SHMEM_ENTER("shmem_finalize");
  if (tsr_launch_leaves()) return; /* an exit handler, after shmem_global_exit */
  if (starts_n == 1) tsr_finish_await_all("shmem_finalize was called"); /* a program may omit this call on some PEs */
  pshmem_barrier_all();
  if (--starts_n > 0) return;
  tsr_shmem_contexts_stop();
  tsr_barrier_or_abort(tsr_team_world, "shmem_finalize"); /* no PE uses OpenSHMEM objects after this */
  tsr_shmem_locks_stop();
  tsr_shmem_sets_stop();
  tsr_shmem_addresses_stop();
  tsr_barrier_or_abort(tsr_team_world, "shmem_finalize"); /* the static variables have left the heap */
  tsr_shmem_teams_stop();
  tsr_shmem_memory_stop();
  tsr_shmem_calls_stop();
  has_ended = true;
  ended_itself = false;
  tsr_runtime_down(TSR_API_SHMEM);
}

void pshmem_global_exit(int status) { tsr_launch_exit(status); }

int pshmem_my_pe(void) { return tsr_shmem_up ? tsr_place.self : -1; }
int pshmem_n_pes(void) { return tsr_shmem_up ? tsr_place.units_n : 0; }
int _my_pe(void) { return pshmem_my_pe(); }
int _num_pes(void) { return pshmem_n_pes(); }

static bool has_pe(int pe) { return (uint32_t)pe < (uint32_t)tsr_place.units_n; }

int pshmem_pe_accessible(int pe) {
  tsr_shmem_must_be_up("shmem_pe_accessible");
  return has_pe(pe);
}

int pshmem_addr_accessible(const void *addr, int pe) {
  uint64_t off;
  tsr_shmem_must_be_up("shmem_addr_accessible");
  return has_pe(pe) && tsr_shmem_is_symmetric(addr, 1, &off);
}

static void *find_pointer(const void *dest, tsr_unit unit) {
  uint64_t off;
  if (unit.id == tsr_place.self) return tsr_shmem_is_symmetric(dest, 1, &off) ? (void *)(uintptr_t)dest : NULL;
  if (!tsr_shmem_is_symmetric(dest, 1, &off) || off >= TSR_ADDR_OUTSIDE) return NULL;
  return tsr_place_pointer((tsr_addr){unit, off});
}

void *pshmem_ptr(const void *dest, int pe) {
  tsr_shmem_must_be_up("shmem_ptr");
  return has_pe(pe) ? find_pointer(dest, TSR_UNIT(pe)) : NULL;
}

void *pshmem_team_ptr(shmem_team_t handle, const void *dest, int pe) {
  const struct shmemi_team *team = tsr_shmem_team_if(handle, "shmem_team_ptr");
  if (!team || !tsr_team_has(team->core, TSR_MEMBER(pe))) return NULL;
  return find_pointer(dest, tsr_team_unit(team->core, TSR_MEMBER(pe)));
}

void pshmem_info_get_version(int *major, int *minor) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}
void pshmem_info_get_name(char *name) { strcpy(name, SHMEM_VENDOR_STRING); }

void pshmem_pcontrol(int wanted, ...) { (void)wanted; }

#include "api/shmem/names.h"
#include <shmem/setup.h>
