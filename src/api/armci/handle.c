#include "api/armci/handle.h"

#include <pthread.h>

#include "base/pool.h"
#include "base/stats.h"
#include "core/progress.h"
#include "api/armci/address.h"

/* The program's handle has room for the number of a record: its index in `target`, 0 when it stands for nothing; in
 * `aggregate` its generation, above the bit that says whether the handle is aggregate. A number that is not, or no longer,
 * one of a record stands for nothing either: so do handles that WaitAll has answered, copies of used ones, and forgotten
 * initialisations. Below 0 `target` says all by itself, as handle.h tells. */

/* Operations of one handle on one unit. */
struct going {
  uint64_t number;
  struct going *next; /* same handle, another unit */
  bool is_first;      /* of its handle */
  tsr_unit unit;
  tsr_handle handle; /* 0: nothing was started by itself */
  tsr_op *op;
  bool collects;
  tsr_batch batch;
};
static tsr_pool records;
static int collecting_n; /* records that collect */
_Atomic uint32_t tsr_armci_waits_n;
/* For all here; no handler takes it. Who holds it may wait for a buffer to send from, for no operation of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
  if (tsr_threads) pthread_mutex_lock(&lock);
}
static void leave(void) {
  if (tsr_threads) pthread_mutex_unlock(&lock);
}

void tsr_armci_handles_start(void) { tsr_pool_init(&records, sizeof(struct going)); }

/* ---- The program's handle ---- */

static uint64_t number_of(const armci_hdl_t *handle) {
  return (uint64_t)((uint32_t)handle->aggregate >> 1) << 32 | (uint32_t)handle->target;
}

/* What was found last: most often it is asked for again. */
static struct going *last;

static struct going *first_of(const armci_hdl_t *handle) {
  if (handle->target <= 0) return NULL;
  uint64_t number = number_of(handle);
  struct going *first = last && last->number == number ? last : tsr_pool_find(&records, number);
  if (!first || !first->is_first) return NULL;
  last = first;
  return first;
}

static void set(armci_hdl_t *handle, uint64_t number) {
  bool aggregate = tsr_armci_is_aggregate(handle);
  handle->target = (int)(uint32_t)number;
  handle->aggregate = (int)((uint32_t)(number >> 32) << 1 | aggregate);
}

#undef ARMCI_INIT_HANDLE
void ARMCI_INIT_HANDLE(armci_hdl_t *handle) {
  if (handle) *handle = (armci_hdl_t){0, 0};
}

static void no_handle(const char *call) { tsr_armci_die("%s: the handle is NULL; pass the address of an armci_hdl_t", call); }

void PARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *handle) {
  if (!handle) no_handle("ARMCI_SET_AGGREGATE_HANDLE");
  handle->aggregate |= 1;
}

void PARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *handle) {
  if (!handle) no_handle("ARMCI_UNSET_AGGREGATE_HANDLE");
  handle->aggregate &= ~1;
}

/* ---- Records ---- */

static struct going *add(armci_hdl_t *handle, struct going *first, tsr_unit unit) {
  uint64_t number;
  struct going *record = tsr_pool_take(&records, &number);
  if (!record) {
    (void)tsr_fail(TESSERA_ERR_MEMORY, "no private memory for one more handle; wait for some first");
    return NULL;
  }
  *record = (struct going){.number = number, .next = first, .is_first = true, .unit = unit};
  if (first) first->is_first = false;
  set(handle, number);
  return record;
}

static void collect_from_now_on(struct going *record) {
  if (record->collects) return;
  tsr_batch_open(&record->batch, record->unit);
  record->collects = true;
  collecting_n++;
}

/* The process of the own node that the handle says by itself it is in use for; negative: none. */
static int local_of(const armci_hdl_t *handle) {
  int proc = -1 - handle->target;
  if (handle->target >= 0 || !tsr_armci_has(proc)) return -1;
  return ((uint32_t)handle->aggregate ^ (uint32_t)tsr_armci_handle_local(proc).aggregate) >> 1 ? -1 : proc;
}

/* With a record it says so no more: the record of that process does. */
static struct going *first_or_local(armci_hdl_t *handle) {
  int proc = local_of(handle);
  if (proc < 0) return first_of(handle);
  struct going *record = add(handle, NULL, TSR_UNIT(proc));
  if (record) collect_from_now_on(record);
  return record;
}

static struct going *find_or_add(armci_hdl_t *handle, tsr_unit unit) {
  struct going *first = first_or_local(handle), *found = first;
  while (found && found->unit.id != unit.id) found = found->next;
  return found ? found : add(handle, first, unit);
}

tsr_op *tsr_armci_handle_begin(armci_hdl_t *handle, tsr_unit unit) {
  enter();
  struct going *record = find_or_add(handle, unit);
  tessera_status_t status = record ? TESSERA_OK : TESSERA_ERR_MEMORY;
  if (record && !record->handle) status = tsr_handle_create(unit, &record->handle, &record->op);
  tsr_op *op = status ? NULL : record->op;
  if (op) tsr_op_begin(op);
  leave();
  return op;
}

bool tsr_armci_handle_use(armci_hdl_t *handle, int proc) {
  enter();
  int near = local_of(handle);
  bool unused = near < 0 && !first_of(handle);
  leave();
  if (unused) *handle = tsr_armci_handle_local(proc);
  return unused || near == proc;
}

static bool collects_elsewhere(const armci_hdl_t *handle, tsr_unit unit, int *where) {
  *where = local_of(handle);
  if (*where >= 0) return *where != unit.id;
  for (const struct going *one = first_of(handle); one; one = one->next) {
    *where = one->unit.id;
    if (one->collects && one->unit.id != unit.id) return true;
  }
  return false;
}

bool tsr_armci_handle_is_elsewhere(const armci_hdl_t *handle, tsr_unit unit) {
  int where;
  enter();
  bool is_elsewhere = collects_elsewhere(handle, unit, &where);
  leave();
  return is_elsewhere;
}

static struct going *find_for_batch(const char *call, armci_hdl_t *handle, tsr_unit unit, int *code) {
  int where = 0;
  struct going *record = NULL;
  *code = FAIL8;
  if (collects_elsewhere(handle, unit, &where))
    *code = tsr_armci_fail(FAIL7, "%s: the aggregate handle is in use for process %d, and this is for process %d; wait for it "
                           "first, or use one handle for each process", call, where, unit.id);
  else record = find_or_add(handle, unit);
  if (record) collect_from_now_on(record);
  return record;
}

tsr_batch *tsr_armci_batch_borrow_again(const armci_hdl_t *handle, tsr_unit unit) {
  enter();
  struct going *first = first_of(handle);
  if (first && !first->next && first->collects && first->unit.id == unit.id) return &first->batch;
  leave();
  return NULL;
}

tsr_batch *tsr_armci_batch_borrow(const char *call, armci_hdl_t *handle, tsr_unit unit, int *code) {
  enter();
  struct going *record = find_for_batch(call, handle, unit, code);
  if (record) return &record->batch;
  leave();
  return NULL;
}

void tsr_armci_batch_return(void) { leave(); }

/* What is to be flushed; a visit has no argument. */
static int flushed_proc;
static void flush_collected(void *object) {
  struct going *record = object;
  if (record->collects && (flushed_proc < 0 || record->unit.id == flushed_proc) && tsr_batch_flush(&record->batch))
    tsr_armci_die("an aggregate handle for process %d could not be sent", record->unit.id);
}

void tsr_armci_batches_flush(int proc) {
  enter();
  flushed_proc = proc;
  if (collecting_n > 0) tsr_pool_each(&records, flush_collected);
  leave();
}

/* ---- Waiting ---- */

static bool is_done(struct going *one) {
  for (; one; one = one->next) {
    if (one->handle && !tsr_op_local_done(one->op)) return false;
    if (one->collects && !tsr_batch_done(&one->batch)) return false;
  }
  return true;
}

/* Gives the records back; nothing of them is under way. */
static void finish(struct going *one) {
  while (one) {
    struct going *next = one->next;
    if (one->collects) {
      (void)tsr_batch_wait(&one->batch);
      collecting_n--;
    }
    if (one->handle) tsr_handle_release(one->handle);
    if (last == one) last = NULL;
    tsr_pool_give(&records, one->number);
    one = next;
  }
}

static tessera_status_t send(struct going *one) {
  tessera_status_t status = TESSERA_OK;
  for (; one; one = one->next) {
    tessera_status_t sent = one->collects ? tsr_batch_flush(&one->batch) : TESSERA_OK;
    if (sent) status = sent;
  }
  return status;
}

static void await(const struct going *one) {
  for (; one; one = one->next) {
    if (one->collects && one->batch.handle) tsr_handle_wait_local(one->batch.op);
    if (one->handle) tsr_handle_wait_local(one->op);
  }
}

/* Without the lock: what is waited for may need other threads, and their handles, to come about. The records are first of
 * no handle any more, so that none but this wait ends them. */
static tessera_status_t wait_for(const armci_hdl_t *handle) {
  enter();
  struct going *first = first_of(handle);
  tessera_status_t status = send(first);
  if (first) first->is_first = false;
  leave();
  await(first);
  enter();
  finish(first);
  leave();
  return status;
}

int PARMCI_Wait(armci_hdl_t *handle) {
  uint64_t begun_ns = tsr_stats_begin();
  int code = tsr_armci_check_up("ARMCI_Wait");
  if (code || !handle) return code;
  if (handle->target > 0) code = tsr_armci_code(wait_for(handle));
  set(handle, 0);
  tsr_progress_throttled();
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0, 0);
  return code;
}

/* Of an operation that is over nothing is left. */
static bool test(armci_hdl_t *handle) {
  enter();
  struct going *first = first_of(handle);
  if (send(first)) tsr_armci_die("an aggregate handle for process %d could not be sent", first->unit.id);
  bool done = is_done(first);
  if (done) {
    finish(first);
    set(handle, 0);
  }
  leave();
  return done;
}

int PARMCI_Test(armci_hdl_t *handle) {
  if (tsr_armci_check_up("ARMCI_Test") || !handle || !handle->target || test(handle)) return 0;
  tsr_progress();
  return !test(handle);
}

static void finish_if_done(void *object) {
  struct going *record = object;
  if (record->is_first && is_done(record)) finish(record);
}

/* Nothing is collected or under way that the caller has waited for. */
static void finish_done(void) {
  enter();
  atomic_fetch_add_explicit(&tsr_armci_waits_n, 1, memory_order_relaxed);
  tsr_pool_each(&records, finish_if_done);
  leave();
}

int PARMCI_WaitProc(int proc) {
  uint64_t begun_ns = tsr_stats_begin();
  int code = tsr_armci_check_proc("ARMCI_WaitProc", proc);
  if (code) return code;
  tsr_armci_batches_flush(proc);
  tsr_op_flush_local(TSR_UNIT(proc));
  finish_done();
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0, 0);
  return 0;
}

int PARMCI_WaitAll(void) {
  uint64_t begun_ns = tsr_stats_begin();
  int code = tsr_armci_check_up("ARMCI_WaitAll");
  if (code) return code;
  tsr_armci_batches_flush(-1);
  tsr_op_flush_local_all();
  finish_done();
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0, 0);
  return 0;
}

void tsr_armci_handles_stop(void) {
  finish_done();
  last = NULL;
  tsr_pool_finish(&records);
}

TSR_ARMCI_NAME(SET_AGGREGATE_HANDLE);
TSR_ARMCI_NAME(UNSET_AGGREGATE_HANDLE);
TSR_ARMCI_NAME(Wait);
TSR_ARMCI_NAME(Test);
TSR_ARMCI_NAME(WaitProc);
TSR_ARMCI_NAME(WaitAll);
