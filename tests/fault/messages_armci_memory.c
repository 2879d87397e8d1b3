/* ARMCI without private memory, or without room in the heap, a case for each message; see support/golden.h. */
#include "support/no_memory.h"

#include <armcix.h>

#include "support/golden.h"

static int me, one = 1;
static char local[512], *theirs; /* theirs: memory of the last process */

static bool start(int *argc, char ***argv) {
  void *pointers[8];
  if (ARMCI_Init_args(argc, argv) || ARMCI_Malloc(pointers, sizeof local)) return false;
  me = armci_msg_me();
  theirs = pointers[armci_msg_nproc() - 1];
  return true;
}

static void end(void) { ARMCI_Finalize(); }

/* ---- the start: the first, or a later allocation of the interface ---- */

static bool start_without(int after) {
  no_memory.after_start = after;
  ARMCI_Init();
  return false;
}
static bool start_without_bases(void) { return start_without(0); }
static bool start_without_groups(void) { return start_without(2); }
static bool start_without_notifications(void) { return start_without(3); }

/* ---- groups and handles ---- */

static bool make_group(void) {
  ARMCI_Group group;
  no_memory_after(3);
  ARMCI_Group_create(1, &me, &group);
  return false;
}

static int get_aggregated(armci_hdl_t *handle) {
  ARMCI_INIT_HANDLE(handle);
  ARMCI_SET_AGGREGATE_HANDLE(handle);
  return ARMCI_NbGet(theirs, local, 8, 1, handle);
}

static bool use_handle(void) {
  armci_hdl_t handle;
  no_memory_after(0);
  int code = get_aggregated(&handle);
  no_memory_end();
  return code == FAIL8;
}

static bool flush_handle(void) {
  armci_hdl_t handle;
  get_aggregated(&handle);
  no_memory_after(0);
  ARMCI_Fence(1);
  return false;
}

static bool test_handle(void) {
  armci_hdl_t handle;
  get_aggregated(&handle);
  no_memory_after(0);
  ARMCI_Test(&handle);
  return false;
}

/* ---- mutexes, messages, vectors ---- */

static bool make_mutexes(int after) {
  no_memory_after(after);
  int code = ARMCI_Create_mutexes(1);
  no_memory_end();
  return code == FAIL;
}
static bool make_set(void) { return make_mutexes(0); }
static bool make_views(void) { return make_mutexes(1); }

static bool send_message(void) {
  static char text[1 << 20];
  no_memory_after(0);
  armci_msg_snd(1, text, sizeof text, 1);
  return false;
}

static bool accumulate_many_pieces(void) {
  enum { N = 64 };
  void *src[N], *dst[N];
  for (int i = 0; i < N; i++) src[i] = local + 8 * i, dst[i] = theirs + 8 * i;
  armci_giov_t pieces = {.src_ptr_array = src, .dst_ptr_array = dst, .bytes = 8, .ptr_array_len = N};
  no_memory_after(0);
  int code = ARMCI_AccV(ARMCI_ACC_INT, &one, &pieces, 1, me);
  no_memory_end();
  return code == FAIL8;
}

static const struct golden_case cases[] = {
    {"3025", start_without_groups, GOLDEN_OWN | GOLDEN_EARLY},
    {"3026", make_group, GOLDEN_OWN},
    {"3039", use_handle, GOLDEN_OWN},
    {"3041", flush_handle, GOLDEN_OWN},
    {"3042", test_handle, GOLDEN_OWN},
    {"3043", start_without_bases, GOLDEN_OWN | GOLDEN_EARLY},
    {"3072", send_message, GOLDEN_OWN},
    {"3076", make_set, GOLDEN_OWN},
    {"3078", make_views, GOLDEN_OWN},
    {"3089", start_without_notifications, GOLDEN_OWN | GOLDEN_EARLY},
    {"3113", accumulate_many_pieces, 0},
};

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start, end, armci_msg_me, ARMCI_Barrier});
}
