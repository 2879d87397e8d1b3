/* The binary interface of DART, compared with the published one: sizes, layouts and values that compiled programs contain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <dash/dart/if/dart.h>

#include "dart_signatures.h"

#define SAME(a, b) _Static_assert((a) == (b), #a " is not " #b)

SAME(DART_OK, 0);
SAME(DART_PENDING, 1);
SAME(DART_ERR_INVAL, 2);
SAME(DART_ERR_NOTFOUND, 3);
SAME(DART_ERR_NOTINIT, 4);
SAME(DART_ERR_NOMEM, 5);
SAME(DART_ERR_OTHER, 999);
SAME(DART_EXIT_SUCCESS, 0);
SAME(DART_EXIT_ABORT, 1);
SAME(DART_EXIT_ASSERT, -6);

SAME(sizeof(dart_unit_t), 4);
SAME(sizeof(dart_global_unit_t), 4);
SAME(sizeof(dart_team_unit_t), 4);
SAME(sizeof(dart_team_t), 2);
SAME(sizeof(dart_ret_t), 4);
SAME(sizeof(dart_thread_support_level_t), 4);
SAME(sizeof(dart_locality_scope_t), 4);
SAME(DART_UNDEFINED_UNIT_ID, -1);
SAME(DART_TEAM_ALL, 0);
SAME(DART_TEAM_NULL, -1);
SAME(DART_UNDEFINED_TEAM_ID, -1);
SAME(DART_THREAD_SINGLE, 0);
SAME(DART_THREAD_MULTIPLE, 10);
SAME(sizeof(dart_config_t), sizeof(int));
SAME(offsetof(dart_config_t, log_enabled), 0);

SAME(sizeof(dart_operation_t), sizeof(void *));
_Static_assert((dart_operation_t)-1 > 0, "operations are unsigned");
SAME(DART_OP_UNDEFINED, 0);
SAME(DART_OP_MIN, 1);
SAME(DART_OP_MAX, 2);
SAME(DART_OP_MINMAX, 3);
SAME(DART_OP_SUM, 4);
SAME(DART_OP_PROD, 5);
SAME(DART_OP_BAND, 6);
SAME(DART_OP_LAND, 7);
SAME(DART_OP_BOR, 8);
SAME(DART_OP_LOR, 9);
SAME(DART_OP_BXOR, 10);
SAME(DART_OP_LXOR, 11);
SAME(DART_OP_REPLACE, 12);
SAME(DART_OP_NO_OP, 13);
SAME(DART_OP_LAST, 14);
SAME(DART_OP_MINMAX_MIN, 0);
SAME(DART_OP_MINMAX_MAX, 1);

SAME(sizeof(dart_datatype_t), sizeof(void *));
_Static_assert((dart_datatype_t)-1 < 0, "types are signed");
SAME(DART_TYPE_UNDEFINED, 0);
SAME(DART_TYPE_BYTE, 1);
SAME(DART_TYPE_SHORT, 2);
SAME(DART_TYPE_INT, 3);
SAME(DART_TYPE_UINT, 4);
SAME(DART_TYPE_LONG, 5);
SAME(DART_TYPE_ULONG, 6);
SAME(DART_TYPE_LONGLONG, 7);
SAME(DART_TYPE_ULONGLONG, 8);
SAME(DART_TYPE_FLOAT, 9);
SAME(DART_TYPE_DOUBLE, 10);
SAME(DART_TYPE_LONG_DOUBLE, 11);
SAME(DART_TYPE_LAST, 12);
SAME(DART_TYPE_SIZET, DART_TYPE_ULONGLONG);

SAME(DART_LOCALITY_SCOPE_UNDEFINED, -1);
SAME(DART_LOCALITY_SCOPE_GLOBAL, 0);
SAME(DART_LOCALITY_SCOPE_GROUP, 1);
SAME(DART_LOCALITY_SCOPE_NETWORK, 50);
SAME(DART_LOCALITY_SCOPE_NODE, 100);
SAME(DART_LOCALITY_SCOPE_MODULE, 200);
SAME(DART_LOCALITY_SCOPE_NUMA, 300);
SAME(DART_LOCALITY_SCOPE_UNIT, 400);
SAME(DART_LOCALITY_SCOPE_PACKAGE, 500);
SAME(DART_LOCALITY_SCOPE_UNCORE, 510);
SAME(DART_LOCALITY_SCOPE_CACHE, 530);
SAME(DART_LOCALITY_SCOPE_CORE, 550);
SAME(DART_LOCALITY_SCOPE_CPU, 600);

/* As in upstream's headers with the feature macros with which DASH is compiled. */
SAME(DART_LOCALITY_HOST_MAX_SIZE, 64);
SAME(DART_LOCALITY_DOMAIN_TAG_MAX_SIZE, 32);
SAME(DART_LOCALITY_MAX_DOMAIN_SCOPES, 12);
SAME(DART_LOCALITY_UNIT_MAX_CPUS, 64);
SAME(DART_LOCALITY_MAX_NUMA_ID, 16);
SAME(DART_LOCALITY_MAX_CACHE_LEVELS, 5);
#define AT(type, field, off) SAME(offsetof(type, field), off)
SAME(sizeof(dart_locality_scope_pos_t), 8);
AT(dart_locality_scope_pos_t, scope, 0);
AT(dart_locality_scope_pos_t, index, 4);
SAME(sizeof(dart_hwinfo_t), 276);
AT(dart_hwinfo_t, host, 0);
AT(dart_hwinfo_t, num_cores, 64);
AT(dart_hwinfo_t, num_numa, 68);
AT(dart_hwinfo_t, numa_id, 72);
AT(dart_hwinfo_t, num_sockets, 76);
AT(dart_hwinfo_t, core_id, 80);
AT(dart_hwinfo_t, cpu_id, 84);
AT(dart_hwinfo_t, min_cpu_mhz, 88);
AT(dart_hwinfo_t, max_cpu_mhz, 92);
AT(dart_hwinfo_t, cache_sizes, 96);
AT(dart_hwinfo_t, cache_line_sizes, 116);
AT(dart_hwinfo_t, cache_ids, 136);
AT(dart_hwinfo_t, min_threads, 156);
AT(dart_hwinfo_t, max_threads, 160);
AT(dart_hwinfo_t, max_shmem_mbps, 164);
AT(dart_hwinfo_t, system_memory_bytes, 168);
AT(dart_hwinfo_t, numa_memory_bytes, 172);
AT(dart_hwinfo_t, scopes, 176);
AT(dart_hwinfo_t, num_scopes, 272);
SAME(sizeof(dart_module_location_t), 136);
AT(dart_module_location_t, host, 0);
AT(dart_module_location_t, module, 64);
AT(dart_module_location_t, pos, 128);
SAME(sizeof(dart_domain_locality_t), 192);
AT(dart_domain_locality_t, host, 0);
AT(dart_domain_locality_t, domain_tag, 64);
AT(dart_domain_locality_t, aliases, 96);
AT(dart_domain_locality_t, num_aliases, 104);
AT(dart_domain_locality_t, scope, 108);
AT(dart_domain_locality_t, level, 112);
AT(dart_domain_locality_t, global_index, 116);
AT(dart_domain_locality_t, relative_index, 120);
AT(dart_domain_locality_t, parent, 128);
AT(dart_domain_locality_t, num_domains, 136);
AT(dart_domain_locality_t, children, 144);
AT(dart_domain_locality_t, is_symmetric, 152);
AT(dart_domain_locality_t, team, 156);
AT(dart_domain_locality_t, num_units, 160);
AT(dart_domain_locality_t, unit_ids, 168);
AT(dart_domain_locality_t, num_nodes, 176);
AT(dart_domain_locality_t, node_id, 180);
AT(dart_domain_locality_t, num_cores, 184);
AT(dart_domain_locality_t, shared_mem_bytes, 188);
SAME(sizeof(dart_unit_locality_t), 316);
AT(dart_unit_locality_t, unit, 0);
AT(dart_unit_locality_t, team, 4);
AT(dart_unit_locality_t, hwinfo, 8);
AT(dart_unit_locality_t, domain_tag, 284);

SAME(sizeof(dart_gptr_t), 16);
SAME(offsetof(dart_gptr_t, segid), 4);
SAME(offsetof(dart_gptr_t, teamid), 6);
SAME(offsetof(dart_gptr_t, addr_or_offs), 8);
SAME(DART_SEGMENT_LOCAL, 0);
SAME(sizeof(dart_group_t), sizeof(void *));
SAME(sizeof(dart_handle_t), sizeof(void *));
SAME(sizeof(dart_lock_t), sizeof(void *));
SAME(sizeof(dart_allocator_t), sizeof(void *));
SAME(sizeof(dart_operator_t), sizeof(void *));
SAME(_Alignof(dart_gptr_t), 8);
_Static_assert((dart_unit_t)-1 < 0 && (dart_team_t)-1 < 0, "units and teams are signed");

static void pointer_bits_are_where_they_were_published(void **state) {
  (void)state;
  dart_gptr_t gptr = {.unitid = 0x123456, .flags = 0xab, .segid = -2, .teamid = 0x0708,
                      .addr_or_offs.offset = UINT64_C(0x1122334455667788)};
  uint64_t words[2];
  memcpy(words, &gptr, sizeof words);
  assert_int_equal(words[0] & 0xffffff, 0x123456);
  assert_int_equal(words[0] >> 24 & 0xff, 0xab);
  assert_int_equal(words[0] >> 32 & 0xffff, 0xfffe);
  assert_int_equal(words[0] >> 48, 0x0708);
  assert_int_equal(words[1], UINT64_C(0x1122334455667788));
}

/* Segment numbers of registered memory are negative, down to the lowest. */
static void segment_and_team_have_signs(void **state) {
  (void)state;
  const uint64_t words[2] = {UINT64_C(0xffff800100fffffe), 8};
  dart_gptr_t gptr;
  memcpy(&gptr, words, sizeof gptr);
  assert_int_equal(gptr.unitid, -2);
  assert_int_equal(gptr.flags, 0);
  assert_int_equal(gptr.segid, -32767);
  assert_int_equal(gptr.teamid, -1);
  assert_int_equal(gptr.addr_or_offs.offset, 8);
  assert_ptr_equal(gptr.addr_or_offs.addr, (void *)8);
  assert_int_equal(dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(3)), DART_OK);
  assert_int_equal(gptr.segid, -32767);
}

static void null_handles_are_null_pointers(void **state) {
  (void)state;
  assert_null(DART_GROUP_NULL);
  assert_null(DART_HANDLE_NULL);
  assert_null(DART_LOCK_NULL);
  assert_null(DART_ALLOCATOR_NULL);
}

static void unit_numbers_in_pointers_have_a_sign(void **state) {
  (void)state;
  dart_gptr_t gptr = DART_GPTR_NULL;
  assert_int_equal(gptr.unitid, -1);
  dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(8388607));
  assert_int_equal(gptr.unitid, 8388607);
}

static void null_pointer_is_known_whatever_its_flags(void **state) {
  (void)state;
  dart_gptr_t gptr = DART_GPTR_NULL;
  assert_int_equal(gptr.segid, 0);
  assert_int_equal(gptr.teamid, DART_TEAM_NULL);
  assert_int_equal(gptr.addr_or_offs.offset, 0);
  gptr.flags = 7;
  assert_true(DART_GPTR_ISNULL(gptr));
  assert_true(DART_GPTR_EQUAL(gptr, DART_GPTR_NULL));
  gptr.addr_or_offs.offset = 8;
  assert_false(DART_GPTR_ISNULL(gptr));
  assert_false(DART_GPTR_EQUAL(gptr, DART_GPTR_NULL));
  dart_gptr_t zero = {0, 0, 0, 0, {0}};
  assert_false(DART_GPTR_ISNULL(zero));
}

static void pointers_move_by_bytes_both_ways(void **state) {
  (void)state;
  dart_gptr_t gptr = {.unitid = 3, .segid = 1, .addr_or_offs.offset = UINT64_C(1) << 40};
  assert_int_equal(dart_gptr_incaddr(&gptr, 24), DART_OK);
  assert_int_equal(gptr.addr_or_offs.offset, (UINT64_C(1) << 40) + 24);
  dart_gptr_incaddr(&gptr, -32);
  assert_int_equal(gptr.addr_or_offs.offset, (UINT64_C(1) << 40) - 8);
  assert_int_equal(gptr.unitid, 3);
}

static void unit_numbers_have_their_types(void **state) {
  (void)state;
  dart_team_unit_t member = DART_TEAM_UNIT_ID(5);
  dart_global_unit_t unit = DART_GLOBAL_UNIT_ID(6);
  assert_int_equal(member.id, 5);
  assert_int_equal(unit.id, 6);
  assert_int_equal(DART_UNDEFINED_TEAM_UNIT_ID.id, -1);
  assert_int_equal(DART_UNDEFINED_GLOBAL_UNIT_ID.id, -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(pointer_bits_are_where_they_were_published),
    cmocka_unit_test(segment_and_team_have_signs),
    cmocka_unit_test(null_handles_are_null_pointers),
    cmocka_unit_test(unit_numbers_in_pointers_have_a_sign),
    cmocka_unit_test(null_pointer_is_known_whatever_its_flags),
    cmocka_unit_test(pointers_move_by_bytes_both_ways),
    cmocka_unit_test(unit_numbers_have_their_types),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
