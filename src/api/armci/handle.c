#include "api/armci/handle.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "base/pool.h"
#include "base/wait.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/armci/address.h"

/* The program's handle has room for the number of a record. `target` holds the record's index; 0: there is none. `aggregate` holds
 * its generation, above the bit that says whether the handle is aggregate. A number that belongs to no record, or to none any more,
 * is treated as no record. Such a number is in a handle whose operations ARMCI_WaitAll has completed, in a copy of a handle that
 * was waited for, and in a handle that the program has not initialised. A handle whose `target` is negative has no record: see
 * handle.h. */

/* Operations of one handle on one unit. */
struct going {
  uint64_t number;
  struct going *next; /* same handle, another unit */
  bool is_first;      /* of its handle */
  tsr_unit unit;
  tsr_handle handle; /* 0: no operation was started separately */
  tsr_op *op;
  bool is_unordered; /* some operation: see handle.h */
  bool collects;
  bool is_borrowed;     /* one thread uses the batch without the lock */
  uint32_t flush;       /* number of the last tsr_armci_batches_flush that has visited this record */
  tsr_batch batch;
};
static tsr_pool records;
static int collecting_n; /* records that collect */
static uint32_t records_n;
_Atomic uint32_t tsr_armci_waits_n;

/* Protects all state of this file. No thread waits while it holds the lock. Sending collected operations may wait for a buffer, so
 * a thread borrows the record and releases the lock meanwhile. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t returns_n; /* of borrowed records */
static int borrowers_n;            /* threads that wait for such a return */

static void lock_handles(void) {
  if (tsr_threads) pthread_mutex_lock(&lock);
}
static void unlock_handles(void) {
  if (tsr_threads) pthread_mutex_unlock(&lock);
}

static bool has_return(const void *seen_n) { return atomic_load(&returns_n) != *(const uint32_t *)seen_n; }

/* Waits until a borrowed record has been returned, any one. Called with the lock held, which is released meanwhile. */
static void await_return(const struct going *record) {
  uint32_t seen_n = atomic_load(&returns_n);
  struct tsr_wait_why why = {TSR_WAIT_HANDLE, record->unit.id, 0};
  borrowers_n++;
  unlock_handles();
  tsr_wait(has_return, &seen_n, why);
  lock_handles();
  borrowers_n--;
}

/* Called with the lock held. False: another thread had borrowed the record. This thread has released the lock and waited, so the
 * caller finds the record again. Without threads nothing is borrowed. */
static bool borrow_record(struct going *record) {
  if (tsr_threads && record->is_borrowed) {
    await_return(record);
    return false;
  }
  record->is_borrowed = tsr_threads;
  return true;
}

static void return_record(struct going *record) {
  if (!record->is_borrowed) return;
  record->is_borrowed = false;
  atomic_fetch_add(&returns_n, 1);
  if (borrowers_n) tsr_wait_nudge();
}

void tsr_armci_handles_start(void) { tsr_pool_init(&records, sizeof(struct going)); }

/* ---- The program's handle ---- */

static uint64_t number_of(const armci_hdl_t *handle) {
  return (uint64_t)((uint32_t)handle->aggregate >> 1) << 32 | (uint32_t)handle->target;
}

/* The record found last: most look-ups ask for it again. */
static struct going *last;

static struct going *first_of(const armci_hdl_t *handle) {
  if (handle->target <= 0) return NULL;
  uint64_t number = number_of(handle);
  struct going *first = last && last->number == number ? last : tsr_pool_find(&records, number);
  if (!first || !first->is_first) return NULL;
  last = first;
  return first;
}

static void set_number(armci_hdl_t *handle, uint64_t number) {
  bool aggregate = tsr_armci_is_aggregate(handle);
  handle->target = (int)(uint32_t)number;
  handle->aggregate = (int)((uint32_t)(number >> 32) << 1 | aggregate);
}

#undef ARMCI_INIT_HANDLE
void ARMCI_INIT_HANDLE(armci_hdl_t *handle) {
  if (handle) *handle = (armci_hdl_t){0, 0};
}

static void no_handle(const char *call) { tsr_armci_die("TSR-3038 %s: the handle is NULL; pass the address of an armci_hdl_t",
                                                        call); }

void PARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *handle) {
  if (!handle) no_handle("ARMCI_SET_AGGREGATE_HANDLE");
  handle->aggregate |= 1;
}

void PARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *handle) {
  if (!handle) no_handle("ARMCI_UNSET_AGGREGATE_HANDLE");
  handle->aggregate &= ~1;
}

/* ---- Records ---- */

static struct going *add_record(armci_hdl_t *handle, struct going *first, tsr_unit unit) {
  uint64_t number;
  struct going *record = tsr_pool_take(&records, &number);
  if (!record) {
    (void)tsr_fail(TESSERA_ERR_MEMORY, "TSR-3039 no private memory for one more handle; wait for some first");
    return NULL;
  }
  *record = (struct going){.number = number, .next = first, .is_first = true, .unit = unit};
  if (first) first->is_first = false;
  set_number(handle, number);
  records_n++;
  return record;
}

static void collect_from_now_on(struct going *record) {
  if (record->collects) return;
  tsr_batch_open(&record->batch, record->unit);
  record->collects = true;
  collecting_n++;
}

/* The process of the own node that the handle is in use for without a record; negative: none. */
static int local_of(const armci_hdl_t *handle) {
  int proc = -1 - handle->target;
  if (handle->target >= 0 || !tsr_armci_has(proc)) return -1;
  return ((uint32_t)handle->aggregate ^ (uint32_t)tsr_armci_handle_local(proc).aggregate) >> 1 ? -1 : proc;
}

static bool is_done(struct going *one) {
  for (; one; one = one->next) {
    const tsr_batch *batch = &one->batch;
    if (one->is_borrowed || (one->collects && !tsr_batch_done(batch))) return false;
    if (one->collects && batch->handle && tsr_armci_batch_is_unordered(batch) && !tsr_op_remote_done(batch->op)) return false;
    if (one->handle && !(one->is_unordered ? tsr_op_remote_done(one->op) : tsr_op_local_done(one->op))) return false;
  }
  return true;
}

/* Gives the records back. None of their operations is under way, and none is borrowed. */
static void release_records(struct going *one) {
  while (one) {
    struct going *next = one->next;
    if (one->collects) {
      (void)tsr_batch_wait(&one->batch);
      collecting_n--;
    }
    if (one->handle) tsr_handle_release(one->handle);
    if (last == one) last = NULL;
    tsr_pool_give(&records, one->number);
    records_n--;
    one = next;
  }
}

static void finish_if_done(void *object) {
  struct going *record = object;
  if (record->is_first && is_done(record)) release_records(record);
}

/* Gives back records of completed operations once there are many: a program may complete operations by fences alone, and use each
 * handle once. */
static void give_back_some(void) {
  enum { RECORDS_MIN = 64 };
  static uint32_t limit = RECORDS_MIN;
  if (records_n < limit) return;
  tsr_pool_each(&records, finish_if_done);
  limit = records_n < RECORDS_MIN / 2 ? RECORDS_MIN : records_n * 2;
}

/* A handle that has no record but is in use for a process gets a record for that process, too. */
static struct going *find_or_add(armci_hdl_t *handle, tsr_unit unit) {
  give_back_some();
  int proc = local_of(handle);
  struct going *first = proc < 0 ? first_of(handle) : add_record(handle, NULL, TSR_UNIT(proc)), *found = first;
  if (proc >= 0 && first) collect_from_now_on(first);
  while (found && found->unit.id != unit.id) found = found->next;
  return found ? found : add_record(handle, first, unit);
}

tsr_op *tsr_armci_handle_begin(armci_hdl_t *handle, tsr_unit unit, bool is_unordered) {
  lock_handles();
  struct going *record = find_or_add(handle, unit);
  tessera_status_t status = record ? TESSERA_OK : TESSERA_ERR_MEMORY;
  if (record && !record->handle) status = tsr_handle_create(unit, &record->handle, &record->op);
  tsr_op *op = status ? NULL : record->op;
  if (op) tsr_op_begin(op);
  if (op) record->is_unordered |= is_unordered;
  unlock_handles();
  return op;
}

bool tsr_armci_handle_use(armci_hdl_t *handle, int proc) {
  lock_handles();
  int local = local_of(handle);
  bool unused = local < 0 && !first_of(handle);
  unlock_handles();
  if (unused) *handle = tsr_armci_handle_local(proc);
  return unused || local == proc;
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
  lock_handles();
  bool is_elsewhere = collects_elsewhere(handle, unit, &where);
  unlock_handles();
  return is_elsewhere;
}

static struct going *find_for_batch(const char *call, armci_hdl_t *handle, tsr_unit unit, int *code) {
  int where = 0;
  struct going *record = NULL;
  *code = FAIL8;
  if (collects_elsewhere(handle, unit, &where))
    *code = tsr_armci_fail(FAIL7, "TSR-3040 %s: the aggregate handle is in use for process %d, and this is for process %d; "
                           "wait for it first, or use one handle for each process", call, where, unit.id);
  else record = find_or_add(handle, unit);
  if (record) collect_from_now_on(record);
  return record;
}

tsr_batch *tsr_armci_batch_borrow_again(const armci_hdl_t *handle, tsr_unit unit) {
  lock_handles();
  struct going *first;
  bool fits;
  do {
    first = first_of(handle);
    fits = first && !first->next && first->collects && first->unit.id == unit.id;
  } while (fits && !borrow_record(first));
  unlock_handles();
  return fits ? &first->batch : NULL;
}

tsr_batch *tsr_armci_batch_borrow(const char *call, armci_hdl_t *handle, tsr_unit unit, int *code) {
  lock_handles();
  struct going *record;
  do record = find_for_batch(call, handle, unit, code);
  while (record && !borrow_record(record));
  unlock_handles();
  return record ? &record->batch : NULL;
}

void tsr_armci_batch_return(tsr_batch *batch) {
  if (!tsr_threads) return;
  lock_handles();
  return_record((struct going *)((char *)batch - offsetof(struct going, batch)));
  unlock_handles();
}

/* Records to be flushed, a few at a time, since other records may be added and removed while one is flushed. Static, since the
 * visit function of tsr_pool_each has no further argument. */
enum { FLUSHED_AT_ONCE = 32 };
static struct {
  int proc; /* negative: all */
  uint32_t number;
  int n;
  uint64_t records[FLUSHED_AT_ONCE];
} flush;

static void add_to_flush(void *object) {
  struct going *record = object;
  bool is_meant = record->collects && (flush.proc < 0 || record->unit.id == flush.proc) && record->flush != flush.number;
  if (!is_meant || flush.n == FLUSHED_AT_ONCE) return;
  record->flush = flush.number;
  if (record->is_borrowed || record->batch.iov_n) flush.records[flush.n++] = record->number;
}

/* Called with the lock held. The lock is released during the send. */
static void flush_record(uint64_t number) {
  struct going *record;
  do record = tsr_pool_find(&records, number);
  while (record && !borrow_record(record));
  if (!record) return; /* another thread has waited for it, and so sent it */
  unlock_handles();
  if (tsr_batch_flush(&record->batch))
    tsr_armci_die("TSR-3041 an aggregate handle for process %d could not be sent; the line above says why", record->unit.id);
  lock_handles();
  return_record(record);
}

void tsr_armci_batches_flush(int proc) {
  static uint32_t flushes_n;
  lock_handles();
  const uint32_t number = ++flushes_n;
  for (int n = FLUSHED_AT_ONCE; n == FLUSHED_AT_ONCE && collecting_n > 0;) {
    uint64_t found[FLUSHED_AT_ONCE];
    flush.proc = proc;
    flush.number = number;
    flush.n = 0;
    tsr_pool_each(&records, add_to_flush);
    n = flush.n;
    memcpy(found, flush.records, sizeof found);
    for (int i = 0; i < n; i++) flush_record(found[i]);
  }
  unlock_handles();
}

/* ---- Waiting ---- */

/* Some thread has started an operation that later calls could overtake. With several threads this is never taken back. */
static _Atomic bool some_unordered;
static bool may_be_unordered(void) { return atomic_load_explicit(&some_unordered, memory_order_relaxed); }
void tsr_armci_note_unordered(void) { atomic_store_explicit(&some_unordered, true, memory_order_relaxed); }

/* Waits until no other thread has borrowed a record of the handle, for a flush. Called with the lock held, as of borrow_record. */
static void await_borrowers(const struct going *first) {
  for (const struct going *one = first; one;) {
    if (one->is_borrowed) {
      await_return(one);
      one = first; /* meanwhile an earlier one may have been borrowed */
    } else {
      one = one->next;
    }
  }
}

/* Sends what the records of a handle have collected. Called with the lock held, which is released meanwhile. Only the caller
 * may end these records. */
static tessera_status_t send_collected(struct going *one) {
  tessera_status_t status = TESSERA_OK;
  for (; one; one = one->next) {
    if (!one->collects) continue;
    while (!borrow_record(one)) continue;
    unlock_handles();
    tessera_status_t sent = tsr_batch_flush(&one->batch);
    lock_handles();
    return_record(one);
    if (sent) status = sent;
  }
  return status;
}

static void await_op(const tsr_op *op, bool is_unordered) {
  if (is_unordered) tsr_handle_wait_remote(op);
  else tsr_handle_wait_local(op);
}

static void await_operations(const struct going *one) {
  for (; one; one = one->next) {
    if (one->collects && one->batch.handle) await_op(one->batch.op, tsr_armci_batch_is_unordered(&one->batch));
    if (one->handle) await_op(one->op, one->is_unordered);
  }
}

/* The lock is not held during the wait, since the operations may need other threads, which use their handles. The first record is
 * no longer marked as the first one of a handle, so only this wait ends the records. */
static tessera_status_t wait_for(const armci_hdl_t *handle) {
  lock_handles();
  struct going *first = first_of(handle);
  if (first) first->is_first = false;
  tessera_status_t status = send_collected(first);
  unlock_handles();
  await_operations(first);
  lock_handles();
  await_borrowers(first);
  release_records(first);
  unlock_handles();
  return status;
}

int PARMCI_Wait(armci_hdl_t *handle) {
  uint64_t begun_ns = tsr_stats_begin();
  int code = tsr_armci_check_up("ARMCI_Wait");
  if (code || !handle) return code;
  if (handle->target > 0) code = tsr_armci_code(wait_for(handle));
  set_number(handle, 0);
  tsr_progress_throttled();
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return code;
}

/* True: all operations of the handle are complete, and its records are given back. During the test the first record is not marked
 * as the first one, as in wait_for. */
static bool test_handle(armci_hdl_t *handle) {
  lock_handles();
  struct going *first = first_of(handle);
  if (first) first->is_first = false;
  if (send_collected(first))
    tsr_armci_die("TSR-3042 ARMCI_Test: an aggregate handle for process %d could not be sent; the line above says why",
                  first->unit.id);
  bool done = is_done(first);
  if (done) {
    release_records(first);
    set_number(handle, 0);
  } else {
    first->is_first = true;
  }
  unlock_handles();
  return done;
}

int PARMCI_Test(armci_hdl_t *handle) {
  if (tsr_armci_check_up("ARMCI_Test") || !handle || !handle->target || test_handle(handle)) return 0;
  tsr_progress();
  return !test_handle(handle);
}

/* Gives back the records without collected operations and without operations under way. The caller has waited for the operations
 * that are to be completed. */
static void finish_done(void) {
  lock_handles();
  atomic_fetch_add_explicit(&tsr_armci_waits_n, 1, memory_order_relaxed);
  tsr_pool_each(&records, finish_if_done);
  unlock_handles();
}

int PARMCI_WaitProc(int proc) {
  uint64_t begun_ns = tsr_stats_begin();
  int code = tsr_armci_check_proc("ARMCI_WaitProc", proc);
  if (code) return code;
  tsr_armci_batches_flush(proc);
  if (may_be_unordered()) tsr_op_flush(TSR_UNIT(proc));
  else tsr_op_flush_local(TSR_UNIT(proc));
  finish_done();
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return 0;
}

int PARMCI_WaitAll(void) {
  uint64_t begun_ns = tsr_stats_begin();
  int code = tsr_armci_check_up("ARMCI_WaitAll");
  if (code) return code;
  tsr_armci_batches_flush(-1);
  if (may_be_unordered()) tsr_op_flush_all();
  else tsr_op_flush_local_all();
  if (!tsr_threads) atomic_store_explicit(&some_unordered, false, memory_order_relaxed); /* else another thread may need it */
  finish_done();
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return 0;
}

void tsr_armci_handles_stop(void) {
  finish_done();
  atomic_store_explicit(&some_unordered, false, memory_order_relaxed);
  last = NULL;
  records_n = 0;
  tsr_pool_finish(&records);
}

TSR_ARMCI_NAME(SET_AGGREGATE_HANDLE);
TSR_ARMCI_NAME(UNSET_AGGREGATE_HANDLE);
TSR_ARMCI_NAME(Wait);
TSR_ARMCI_NAME(Test);
TSR_ARMCI_NAME(WaitProc);
TSR_ARMCI_NAME(WaitAll);
