/* Groups of ARMCI: lists in any order, children, splits, several at once, the default group, and non-members.
 * Group: armci_calls
 */
#include <armci.h>
#include <armcix.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, 0)

static int me, procs_n;

/* The sum of all members' numbers, by a reduction over the group. */
static int sum_of(ARMCI_Group *group) {
  int sum = me;
  armci_msg_group_igop(&sum, 1, "+", group);
  return sum;
}

static void check_member(ARMCI_Group *group, int n, const int list[], int expected_rank) {
  int rank = -7, size = -7, sum = 0, members_sum = 0;
  OK(ARMCI_Group_rank(group, &rank));
  ARMCI_Group_size(group, &size);
  CHECK_EQ(rank, expected_rank);
  CHECK_EQ(size, n);
  for (int i = 0; i < n; i++) {
    sum += list[i];
    CHECK_EQ(ARMCI_Absolute_id(group, i), list[i]);
  }
  members_sum = sum_of(group);
  CHECK_EQ(members_sum, sum);
  CHECK(ARMCI_Absolute_id(group, n) < 0);
  CHECK(ARMCI_Absolute_id(group, -1) < 0);
}

static void check_foreign(ARMCI_Group *group) {
  int rank = 5;
  CHECK(ARMCI_Group_rank(group, &rank) != 0);
  CHECK_EQ(rank, -1);
  CHECK(ARMCI_Absolute_id(group, 0) < 0);
  CHECK(group->comm == MPI_COMM_NULL);
  ARMCI_Group copy = *group;
  ARMCI_Group_free(&copy);
}

static void knows_world(void) {
  ARMCI_Group world, chosen;
  int list[64];
  for (int i = 0; i < procs_n; i++) list[i] = i;
  ARMCI_Group_get_world(&world);
  check_member(&world, procs_n, list, me);
  ARMCI_Group_get_default(&chosen);
  check_member(&chosen, procs_n, list, me);
}

/* Members in descending order; first all processes call, then the members alone. */
static void lists_any_order(void) {
  int list[64], n = 0;
  for (int i = procs_n - 1; i >= 0; i -= 2) list[n++] = i;
  int rank = (procs_n - 1 - me) % 2 == 0 ? (procs_n - 1 - me) / 2 : -1;
  for (int round = 0; round < 2; round++) {
    ARMCI_Group group;
    if (round && rank < 0) continue;
    ARMCI_Group_create(n, list, &group);
    if (rank < 0) check_foreign(&group);
    else check_member(&group, n, list, rank);
    if (rank >= 0) {
      int compared;
      MPI_Comm_rank(group.comm, &compared);
      CHECK_EQ(compared, rank);
      ARMCI_Group_free(&group);
      check_foreign(&group);
    }
  }
}

/* A child's list holds ranks in its parent. */
static void has_children(void) {
  int list[64], reversed[64], n = 0;
  for (int i = 0; i < procs_n; i++) reversed[i] = procs_n - 1 - i;
  ARMCI_Group parent, child;
  ARMCI_Group_create(procs_n, reversed, &parent);
  check_member(&parent, procs_n, reversed, procs_n - 1 - me);
  for (int i = 0; i < procs_n; i += 2) list[n++] = i; /* so ranks 0, 2, .. of the parent are the last, the third last, .. process */
  ARMCI_Group_create_child(n, list, &child, &parent);
  for (int i = 0; i < n; i++) list[i] = procs_n - 1 - list[i];
  int rank = procs_n - 1 - me;
  if (rank % 2) check_foreign(&child);
  else check_member(&child, n, list, rank / 2);
  ARMCI_Group_free(&parent); /* the child stays valid */
  if (rank % 2 == 0) {
    check_member(&child, n, list, rank / 2);
    ARMCI_Group_free(&child);
  }
}

/* Many groups at once, each of a process and its successor, freed in another order. */
static void many_at_once(void) {
  enum { ROUNDS = 5 };
  ARMCI_Group pairs[ROUNDS][2];
  if (procs_n < 2) return;
  int before = (me + procs_n - 1) % procs_n, next = (me + 1) % procs_n;
  for (int round = 0; round < ROUNDS; round++) {
    for (int turn = 0; turn < procs_n; turn++) { /* the lower process of the group */
      int pair[2] = {turn, (turn + 1) % procs_n};
      if (turn == me || turn == before) ARMCI_Group_create(2, pair, &pairs[round][turn == before]);
    }
  }
  for (int round = ROUNDS - 1; round >= 0; round--) {
    for (int turn = 0; turn < procs_n; turn++) {
      int pair[2] = {turn, (turn + 1) % procs_n};
      if (turn == me) check_member(&pairs[round][0], 2, pair, 0);
      if (turn == before) check_member(&pairs[round][1], 2, pair, 1);
    }
  }
  CHECK_EQ(ARMCI_Absolute_id(&pairs[0][0], 1), next);
  for (int round = 0; round < ROUNDS; round++) {
    for (int turn = 0; turn < procs_n; turn++) {
      if (turn == me || turn == before) ARMCI_Group_free(&pairs[round][turn == before]);
    }
  }
}

/* Colours me % 3; processes of the last colour get no group; keys reverse the order. */
static void splits(void) {
  ARMCI_Group world, part, copy;
  int list[64], n = 0, color = me % 3 == 2 ? -1 : me % 3, rank = -1;
  ARMCI_Group_get_world(&world);
  OK(ARMCIX_Group_split(&world, color, -me, &part));
  for (int i = procs_n - 1; i >= 0; i--) {
    if (i == me) rank = n;
    if (i % 3 == me % 3) list[n++] = i;
  }
  if (color < 0) check_foreign(&part);
  else check_member(&part, n, list, rank);
  if (color < 0) return;
  OK(ARMCIX_Group_dup(&part, &copy));
  check_member(&copy, n, list, rank);
  ARMCI_Group_free(&part);
  check_member(&copy, n, list, rank);
  ARMCI_Group_free(&copy);
}

/* Calls without a group use the default one. */
static void has_a_default(void) {
  ARMCI_Group half, before, now, last;
  int list[64], n = 0, first = me < procs_n / 2 ? 0 : procs_n / 2, end = me < procs_n / 2 ? procs_n / 2 : procs_n;
  for (int i = first; i < end; i++) list[n++] = i;
  ARMCI_Group_create(n, list, &half);
  ARMCI_Group_get_default(&before);
  ARMCI_Group_set_default(&half);
  CHECK_EQ(armci_msg_me(), me - first);
  CHECK_EQ(armci_msg_nproc(), n);
  int one = 1;
  armci_msg_igop(&one, 1, "+");
  CHECK_EQ(one, n);
  armci_msg_barrier();
  ARMCI_Barrier();
  void *pointers[64];
  OK(ARMCI_Malloc(pointers, (armci_size_t)sizeof(int)));
  *(int *)pointers[me - first] = me;
  ARMCI_Barrier();
  int seen = -1, next = (me - first + 1) % n;
  OK(ARMCI_Get(pointers[next], &seen, (int)sizeof seen, ARMCI_Absolute_id(&half, next)));
  CHECK_EQ(seen, first + next);
  ARMCI_Barrier();
  OK(ARMCI_Free(pointers[me - first]));
  ARMCI_Group_get_default(&now);
  check_member(&now, n, list, me - first);
  ARMCI_Group_create(1, (int[]){n - 1}, &last);
  if (me == end - 1) check_member(&last, 1, &list[n - 1], 0);
  else check_foreign(&last);
  ARMCI_Group_free(&last);
  if (me % 2) ARMCI_Group_set_default(&before); /* else its end makes the world the default */
  ARMCI_Group_free(&half);
  CHECK_EQ(armci_msg_nproc(), procs_n);
  CHECK_EQ(armci_msg_me(), me);
}

static void shares_memory(void) {
  ARMCI_Group world, self;
  ARMCI_Group_get_world(&world);
  ARMCI_Group_create(1, &me, &self);
  int local_n = 0;
  for (int i = 0; i < procs_n; i++) local_n += ARMCI_Same_node(i);
  CHECK_EQ(ARMCI_Uses_shm(), local_n > 1);
  CHECK_EQ(ARMCI_Uses_shm_grp(&world), local_n > 1);
  CHECK_EQ(ARMCI_Uses_shm_grp(&self), 0);
  ARMCI_Group_free(&self);
}

int main(int argc, char **argv) {
  OK(ARMCI_Init_args(&argc, &argv));
  for (int life = 0; life < 2; life++) {
    me = armci_msg_me();
    procs_n = armci_msg_nproc();
    CHECK_EQ(me, tessera_unit());
    knows_world();
    lists_any_order();
    has_children();
    many_at_once();
    splits();
    has_a_default();
    shares_memory();
    ARMCI_Group left; /* the end frees the rest */
    ARMCI_Group_create(1, &me, &left);
    OK(ARMCI_Finalize());
    if (!life) OK(ARMCI_Init());
  }
  return check_result();
}
