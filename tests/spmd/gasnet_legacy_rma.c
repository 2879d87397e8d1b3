/* GASNet-1: puts and gets in all their forms. Each unit writes into the segment of its right neighbour. */
#include "gasnet_legacy_check.h"

enum { N = 64, PART = 4096, PARTS_N = 16 };

/* The number of this unit and round. */
static int32_t value_of(int unit, int round, int i) { return unit * 100000 + round * 1000 + i; }

static int32_t mine[N], theirs[N];

static void fill(int round) {
  for (int i = 0; i < N; i++) mine[i] = value_of(self, round, i);
  memset(theirs, -1, sizeof theirs);
}

static void *part(int unit, int number) { return segment_of(unit) + number * PART; }

static void check_got(int round) {
  for (int i = 0; i < N; i++) CHECK_EQ(theirs[i], value_of(self, round, i));
}

static void blocking(int to) {
  fill(1);
  gasnet_put(to, part(to, 0), mine, sizeof mine);
  gasnet_get(theirs, to, part(to, 0), sizeof mine);
  check_got(1);
  fill(2);
  gasnet_put_bulk(to, part(to, 1), mine, sizeof mine);
  gasnet_get_bulk(theirs, to, part(to, 1), sizeof mine);
  check_got(2);
  gasnet_put(to, part(to, 1), mine, 0);
}

static void with_handles(int to) {
  gasnet_handle_t handles[N];
  fill(3);
  for (int i = 0; i < N; i++) {
    int32_t value = mine[i];
    int32_t *at = (int32_t *)part(to, 2) + i;
    handles[i] = i % 2 ? gasnet_put_nb(to, at, &value, sizeof value) : gasnet_put_nb_bulk(to, at, &mine[i], sizeof value);
  }
  gasnet_wait_syncnb_all(handles, N);
  for (int i = 0; i < N; i++) CHECK(handles[i] == GASNET_INVALID_HANDLE);
  for (int i = 0; i < N; i++) {
    int32_t *at = (int32_t *)part(to, 2) + i;
    handles[i] = i % 2 ? gasnet_get_nb(&theirs[i], to, at, sizeof *at) : gasnet_get_nb_bulk(&theirs[i], to, at, sizeof *at);
  }
  gasnet_wait_syncnb_some(handles, N);
  while (gasnet_try_syncnb_some(handles, N) != GASNET_OK) continue;
  while (gasnet_try_syncnb_all(handles, N) != GASNET_OK) continue;
  check_got(3);
  OK(gasnet_try_syncnb_all_nopoll(handles, N));
  OK(gasnet_try_syncnb_some_nopoll(handles, N));
  fill(4);
  gasnet_handle_t handle = gasnet_put_nb_bulk(to, part(to, 3), mine, sizeof mine);
  int answer;
  while ((answer = gasnet_try_syncnb(handle)) != GASNET_OK) CHECK_EQ(answer, GASNET_ERR_NOT_READY);
  gasnet_wait_syncnb(gasnet_get_nb_bulk(theirs, to, part(to, 3), sizeof mine));
  check_got(4);
  OK(gasnet_try_syncnb_nopoll(GASNET_INVALID_HANDLE));
}

static void implicitly(int to) {
  fill(5);
  for (int i = 0; i < N; i++) {
    int32_t value = mine[i];
    gasnet_put_nbi(to, (int32_t *)part(to, 4) + i, &value, sizeof value);
  }
  gasnet_wait_syncnbi_puts();
  gasnet_get_nbi(theirs, to, part(to, 4), sizeof mine);
  gasnet_wait_syncnbi_gets();
  check_got(5);
  fill(6);
  gasnet_put_nbi_bulk(to, part(to, 5), mine, sizeof mine);
  while (gasnet_try_syncnbi_puts() != GASNET_OK) continue;
  gasnet_get_nbi_bulk(theirs, to, part(to, 5), sizeof mine);
  while (gasnet_try_syncnbi_gets() != GASNET_OK) continue;
  check_got(6);
  gasnet_wait_syncnbi_all();
  OK(gasnet_try_syncnbi_all());
  OK(gasnet_try_syncnbi_puts_nopoll());
  OK(gasnet_try_syncnbi_gets_nopoll());
  OK(gasnet_try_syncnbi_all_nopoll());
}

static void in_region(int to) {
  fill(7);
  gasnet_begin_nbi_accessregion();
  for (int i = 0; i < N; i++) gasnet_put_nbi(to, (int32_t *)part(to, 6) + i, &mine[i], sizeof mine[i]);
  gasnet_handle_t region = gasnet_end_nbi_accessregion();
  gasnet_wait_syncnb(region);
  gasnet_get(theirs, to, part(to, 6), sizeof mine);
  check_got(7);
}

static void by_value(int to) {
  unsigned char *bytes = (unsigned char *)part(to, 7);
  for (size_t n = 1; n <= SIZEOF_GASNET_REGISTER_VALUE_T; n++) {
    gasnet_register_value_t value = UINT64_C(0x8877665544332211) + (unsigned)self;
    gasnet_register_value_t seen = n == 8 ? value : value & ((UINT64_C(1) << 8 * n) - 1);
    gasnet_put_val(to, bytes, value, n);
    CHECK(gasnet_get_val(to, bytes, n) == seen);
    gasnet_wait_syncnb(gasnet_put_nb_val(to, bytes + 8, value, n));
    gasnet_put_nbi_val(to, bytes + 16, value, n);
    gasnet_wait_syncnbi_puts();
    gasnet_valget_handle_t first = gasnet_get_nb_val(to, bytes + 8, n), second = gasnet_get_nb_val(to, bytes + 16, n);
    CHECK(gasnet_wait_syncnb_valget(second) == seen);
    CHECK(gasnet_wait_syncnb_valget(first) == seen);
  }
}

/* Programs tell by the handle whether a node shares memory with them. A call inside an access region has a handle of its
 * own, too. */
static void handles_of_memsets(int to, char *dest) {
  gasnet_nodeinfo_t nodes[UNITS_MAX];
  OK(gasnet_getNodeInfo(nodes, units_n));
  gasnet_begin_nbi_accessregion();
  gasnet_handle_t own = gasnet_memset_nb(to, dest, 5, 3 * PART);
  gasnet_handle_t region = gasnet_end_nbi_accessregion();
  CHECK(region == GASNET_INVALID_HANDLE);
  CHECK_EQ(own == GASNET_INVALID_HANDLE, nodes[to].supernode == nodes[self].supernode);
  gasnet_wait_syncnb(own);
  for (int i = 0; i < 3 * PART; i += PART - 1) CHECK(gasnet_get_val(to, dest + i, 1) == 5);
}

static void memsets(int to) {
  static unsigned char bytes[3 * PART];
  char *dest = segment_of(to) + 8 * PART;
  handles_of_memsets(to, dest);
  gasnet_memset(to, dest, 0, 3 * PART);
  gasnet_memset(to, dest + 1, 0x155, PART);
  gasnet_wait_syncnb(gasnet_memset_nb(to, dest + PART + 1, 2, PART));
  gasnet_memset_nbi(to, dest + 2 * PART + 1, 3, PART - 2);
  gasnet_memset(to, dest, 9, 0);
  gasnet_wait_syncnbi_puts();
  gasnet_get(bytes, to, dest, sizeof bytes);
  for (int i = 0; i < 3 * PART; i++) {
    int expected = i == 0 || i == 3 * PART - 1 ? 0 : i <= PART ? 0x55 : i <= 2 * PART ? 2 : 3;
    if (bytes[i] != expected) CHECK_EQ(bytes[i], expected);
  }
}

/* Every other number of 4 is put into every third place at the target, and fetched back. */
static void lists(int to) {
  gasnet_memvec_t near[4], far[4], back[4];
  void *near_at[4], *far_at[4], *back_at[4];
  int32_t *there = (int32_t *)part(to, 11);
  fill(8);
  for (int i = 0; i < 4; i++) {
    near_at[i] = &mine[2 * i], far_at[i] = there + 3 * i, back_at[i] = &theirs[2 * i];
    near[i].addr = near_at[i], far[i].addr = far_at[i], back[i].addr = back_at[i];
    near[i].len = far[i].len = back[i].len = sizeof(int32_t);
  }
  for (int how = 0; how < 6; how++) {
    for (int i = 0; i < N; i++) mine[i] = value_of(self, 8, i + how);
    memset(theirs, -1, sizeof theirs);
    switch (how) {
    case 0: gasnet_putv_bulk(to, 4, far, 4, near), gasnet_getv_bulk(4, back, to, 4, far); break;
    case 1:
      gasnet_wait_syncnb(gasnet_putv_nb_bulk(to, 4, far, 4, near));
      gasnet_wait_syncnb(gasnet_getv_nb_bulk(4, back, to, 4, far));
      break;
    case 2:
      gasnet_putv_nbi_bulk(to, 4, far, 4, near), gasnet_wait_syncnbi_all();
      gasnet_getv_nbi_bulk(4, back, to, 4, far), gasnet_wait_syncnbi_all();
      break;
    case 3: gasnet_puti_bulk(to, 4, far_at, 4, 4, near_at, 4), gasnet_geti_bulk(4, back_at, 4, to, 4, far_at, 4); break;
    case 4:
      gasnet_wait_syncnb(gasnet_puti_nb_bulk(to, 4, far_at, 4, 4, near_at, 4));
      gasnet_wait_syncnb(gasnet_geti_nb_bulk(4, back_at, 4, to, 4, far_at, 4));
      break;
    default:
      gasnet_puti_nbi_bulk(to, 4, far_at, 4, 4, near_at, 4), gasnet_wait_syncnbi_all();
      gasnet_geti_nbi_bulk(4, back_at, 4, to, 4, far_at, 4), gasnet_wait_syncnbi_all();
    }
    for (int i = 0; i < 8; i++) CHECK_EQ(theirs[i], i % 2 ? -1 : value_of(self, 8, i + how));
  }
}

/* 3 rows of 2 pieces of 8 bytes. */
static void strided(int to) {
  const size_t count[] = {8, 2, 3}, near[] = {16, 64}, far[] = {24, 96};
  void *there = part(to, 12);
  for (int how = 0; how < 3; how++) {
    fill(9 + how);
    if (how == 0) {
      gasnet_puts_bulk(to, there, far, mine, near, count, 2);
      gasnet_gets_bulk(theirs, near, to, there, far, count, 2);
    } else if (how == 1) {
      gasnet_wait_syncnb(gasnet_puts_nb_bulk(to, there, far, mine, near, count, 2));
      gasnet_wait_syncnb(gasnet_gets_nb_bulk(theirs, near, to, there, far, count, 2));
    } else {
      gasnet_puts_nbi_bulk(to, there, far, mine, near, count, 2), gasnet_wait_syncnbi_puts();
      gasnet_gets_nbi_bulk(theirs, near, to, there, far, count, 2), gasnet_wait_syncnbi_gets();
    }
    for (int i = 0; i < 48; i++) CHECK_EQ(theirs[i], i % 16 < 8 && i % 4 < 2 ? value_of(self, 9 + how, i) : -1);
  }
}

/* After a barrier the left neighbour's puts have arrived. */
static void check_own_segment(void) {
  const int32_t *here = (const int32_t *)part(self, 6);
  for (int i = 0; i < N; i++) CHECK_EQ(here[i], value_of(left_of(self), 7, i));
}

int main(int argc, char **argv) {
  GASNET_BEGIN_FUNCTION();
  start(&argc, &argv, NULL, 0, PARTS_N * PART);
  int to = right_of(self);
  gasnet_hold_interrupts();
  gasnet_resume_interrupts();
  blocking(to);
  with_handles(to);
  implicitly(to);
  in_region(to);
  by_value(to);
  memsets(to);
  lists(to);
  strided(to);
  barrier();
  check_own_segment();
  return finish();
}
