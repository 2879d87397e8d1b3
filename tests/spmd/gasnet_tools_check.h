/* Checks of GASNet's tools, in programs with and without GASNet itself. */
#ifndef GASNET_TOOLS_TEST_H
#define GASNET_TOOLS_TEST_H

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "gasnet_tools_child.h"
#include "gasnet_tools_threads.h"

/* ---- Attributes of declarations ---- */

GASNETT_BEGIN_EXTERNC
GASNETT_INLINE(twice) GASNETT_CONST int twice(int n) { return 2 * n; }
GASNETT_CONSTP(twice)
GASNETT_NEVER_INLINE(apart, int apart(const int *GASNETT_RESTRICT p));
GASNETT_PUREP(apart)
int apart(const int *GASNETT_RESTRICT p) { return *p; }
void *fresh(void) GASNETT_MALLOC;
GASNETT_MALLOCP(fresh)
void *fresh(void) { return malloc(1); }
GASNETT_FORMAT_PRINTF(length_of, 1, 2, int length_of(const char *format, ...)) GASNETT_HOT;
int length_of(const char *format, ...) { return (int)strlen(format); }
static inline int length_by(GASNETT_FORMAT_PRINTF_FUNCPTR_ARG(f, 1, 2, int (*f)(const char *format, ...)),
                            const char *text) {
  return f("%s", text);
}
GASNETT_USED static int nobody(void) { return GASNETT_CURRENT_FUNCTION[0]; }
GASNETT_END_EXTERNC

/* With a return after the switch the compiler would warn that it is never reached, and without it that one is missing. */
static inline int is_odd(int n) {
  switch (n & 1) {
  case 0: return 0;
  case 1: return 1;
  }
  gasnett_unreachable();
}

GASNETT_IDENT(test_ident, "$Test: of the tools $");
GASNETT_IDENT(test_ident_2, "$Test: " GASNETT_CONFIG_STRING " $");

static inline int steps_to(int n) {
  int steps = 0;
  switch (n) {
  case 2: steps++; GASNETT_FALLTHROUGH
  case 1: steps++;
  }
  return steps;
}

static inline void annotations(void) {
  int two = 2;
  CHECK_EQ(twice(21), 42);
  CHECK_EQ(apart(&two), 2);
  CHECK_EQ(length_of("%d", 7), 2);
  CHECK_EQ(steps_to(2), 2);
  void *memory = fresh();
  CHECK(memory != NULL);
  free(memory);
  typedef GASNETT_FORMAT_PRINTF_FUNCPTR(length_fn, 1, 2, int (*length_fn)(const char *format, ...));
  length_fn length = length_of;
  CHECK_EQ(length("%d", 7), 2);
  CHECK_EQ(length_by(length_of, "%d"), 2);
  CHECK(is_odd(3) && !is_odd(two));
  CHECK(gasnett_constant_p(42) && !gasnett_constant_p(rand()));
  CHECK(GASNETT_PREDICT_TRUE(two) == 1 && GASNETT_PREDICT_TRUE(!two) == 0);
  CHECK(GASNETT_PREDICT_FALSE(two) == 1 && GASNETT_PREDICT_FALSE(!two) == 0);
  if_pf(two != 2) CHECK(0);
  if_pt(two == 2) two = 3;
  CHECK_EQ(MIN(two, 2) + MAX(two, 2), 5);
  CHECK(!strcmp(_STRINGIFY(_CONCAT(PLATFORM_, OS)), "PLATFORM_OS"));
  CHECK(PLATFORM_COMPILER_VERSION_GE(1, 0, 0) && !PLATFORM_COMPILER_VERSION_LT(1, 0, 0));
  CHECK(PLATFORM_COMPILER_VERSION_GT(1, 0, 0) && !PLATFORM_COMPILER_VERSION_LE(1, 0, 0));
  CHECK(PLATFORM_COMPILER_VERSION_LE(999, 0, 0) && !PLATFORM_COMPILER_VERSION_EQ(999, 0, 0));
  CHECK(strlen(PLATFORM_COMPILER_VERSION_STR) > 2 && strlen(_STRINGIFY(PLATFORM_COMPILER_FAMILYNAME)) > 2);
  CHECK(strlen(GASNETT_SYSTEM_TUPLE) > 2);
#if PLATFORM_ARCH_64 == PLATFORM_ARCH_32 || PLATFORM_ARCH_BIG_ENDIAN == PLATFORM_ARCH_LITTLE_ENDIAN
#error "one of each pair"
#endif
  CHECK_EQ(gasnett_isLittleEndian(), PLATFORM_ARCH_LITTLE_ENDIAN);
  CHECK(SIZEOF_CHAR == 1 && SIZEOF_SHORT == sizeof(short) && SIZEOF_INT == sizeof(int) && SIZEOF_LONG == sizeof(long));
  CHECK(SIZEOF_LONG_LONG == sizeof(long long) && SIZEOF_VOID_P == sizeof(void *) && SIZEOF_SIZE_T == sizeof(size_t));
  CHECK(SIZEOF_PTRDIFF_T == sizeof(ptrdiff_t));
}

/* ---- Time ---- */

static inline void times(void) {
  gasnett_tick_t begun = gasnett_ticks_now(), before = begun;
  CHECK(begun > GASNETT_TICK_MIN && begun < GASNETT_TICK_MAX);
  for (int i = 0; i < 1000; i++) {
    gasnett_tick_t now = gasnett_ticks_now();
    CHECK(now >= before);
    before = now;
  }
  uint64_t day_us = gasnett_gettimeofday_us();
  CHECK_EQ(gasnett_nsleep(2000000), 0);
  gasnett_tick_t gone = gasnett_ticks_now() - begun;
  CHECK(gasnett_ticks_to_ns(gone) >= 2000000);
  CHECK(gasnett_ticks_to_us(gone) == gasnett_ticks_to_ns(gone) / 1000);
  CHECK(gasnett_gettimeofday_us() > day_us);
  CHECK(gasnett_tick_granularityus() > 0 && gasnett_tick_overheadus() > 0);
  gasnett_sched_yield();
  gasnett_spinloop_hint();
}

/* ---- Barriers and atomics ---- */

static inline void fences(void) {
  gasnett_compiler_fence();
  gasnett_local_wmb();
  gasnett_local_rmb();
  gasnett_local_mb();
  gasnett_weak_wmb();
  gasnett_weak_rmb();
  gasnett_weak_mb();
}

#define CHECK_ATOMIC(kind, type)                                                              \
  do {                                                                                        \
    gasnett_##kind##_t at = gasnett_##kind##_init(7);                                         \
    CHECK(gasnett_##kind##_read(&at, 0) == 7);                                                \
    gasnett_##kind##_set(&at, (type)-1, GASNETT_ATOMIC_REL);                                  \
    CHECK(gasnett_##kind##_read(&at, GASNETT_ATOMIC_ACQ) == (type)-1);                        \
    gasnett_##kind##_increment(&at, GASNETT_ATOMIC_NONE);                                     \
    CHECK(gasnett_##kind##_read(&at, GASNETT_ATOMIC_MB_PRE) == 0);                            \
    gasnett_##kind##_decrement(&at, GASNETT_ATOMIC_MB_POST);                                  \
    CHECK(gasnett_##kind##_read(&at, GASNETT_ATOMIC_RMB_PRE) == (type)-1);                    \
    CHECK(gasnett_##kind##_add(&at, 3, GASNETT_ATOMIC_WMB_POST) == 2);                        \
    CHECK(gasnett_##kind##_subtract(&at, 1, GASNETT_ATOMIC_REL | GASNETT_ATOMIC_ACQ) == 1);   \
    CHECK(gasnett_##kind##_decrement_and_test(&at, GASNETT_ATOMIC_ACQ_IF_TRUE) != 0);         \
    CHECK(gasnett_##kind##_decrement_and_test(&at, GASNETT_ATOMIC_ACQ_IF_FALSE) == 0);        \
    CHECK(gasnett_##kind##_compare_and_swap(&at, 5, 6, 0) == 0);                              \
    CHECK(gasnett_##kind##_compare_and_swap(&at, (type)-1, 6, GASNETT_ATOMIC_ACQ) != 0);      \
    CHECK(gasnett_##kind##_swap(&at, 9, 0) == 6);                                             \
    CHECK(gasnett_##kind##_read(&at, 0) == 9);                                                \
  } while (0)

static inline void atomics(void) {
  static gasnett_atomic_t global = gasnett_atomic_init(GASNETT_ATOMIC_MAX);
  CHECK(gasnett_atomic_read(&global, 0) == GASNETT_ATOMIC_MAX);
  CHECK_EQ(gasnett_atomic_signed(gasnett_atomic_read(&global, 0)), -1);
  gasnett_atomic_set(&global, (gasnett_atomic_val_t)GASNETT_ATOMIC_SIGNED_MAX, 0);
  gasnett_atomic_increment(&global, 0);
  gasnett_atomic_sval_t least = gasnett_atomic_signed(gasnett_atomic_read(&global, 0));
  CHECK(least == GASNETT_ATOMIC_SIGNED_MIN);
  gasnett_atomic_set(&global, GASNETT_ATOMIC_MAX, 0);
#if !GASNETT_HAVE_ATOMIC_CAS || !GASNETT_HAVE_ATOMIC_ADD_SUB || !GASNETT_HAVE_STRONGATOMIC_CAS || \
    !GASNETT_HAVE_STRONGATOMIC_ADD_SUB
#error "all atomics are there"
#endif
  CHECK_ATOMIC(atomic, gasnett_atomic_val_t);
  CHECK_ATOMIC(strongatomic, gasnett_atomic_val_t);
  CHECK_ATOMIC(atomic32, uint32_t);
  CHECK_ATOMIC(strongatomic32, uint32_t);
  CHECK_ATOMIC(atomic64, uint64_t);
  CHECK_ATOMIC(strongatomic64, uint64_t);
}

/* ---- Locks and keys of one thread ---- */

GASNETT_THREADKEY_DECLARE(test_key);
GASNETT_THREADKEY_DEFINE(test_key);

static inline void locks(void) {
  static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
  gasnett_mutex_lock(&mutex);
  gasnett_mutex_assertlocked(&mutex);
  gasnett_mutex_unlock(&mutex);
  gasnett_mutex_assertunlocked(&mutex);
  CHECK_EQ(gasnett_mutex_trylock(&mutex), 0);
  gasnett_mutex_unlock(&mutex);
  gasnett_mutex_destroy(&mutex);
  CHECK(gasnett_mutex_trylock(&mutex) != 0);
  gasnett_mutex_init(&mutex);
  CHECK_EQ(gasnett_mutex_trylock(&mutex), 0);
  gasnett_mutex_unlock(&mutex);
  gasnett_mutex_destroy_ignoreerr(&mutex);
  CHECK(gasnett_mutex_trylock(&mutex) != 0);

  static gasnett_rwlock_t rwlock = GASNETT_RWLOCK_INITIALIZER;
  gasnett_rwlock_rdlock(&rwlock);
  CHECK_EQ(gasnett_rwlock_tryrdlock(&rwlock), 0);
  CHECK(gasnett_rwlock_trywrlock(&rwlock) != 0);
  gasnett_rwlock_unlock(&rwlock);
  gasnett_rwlock_unlock(&rwlock);
  CHECK_EQ(gasnett_rwlock_trywrlock(&rwlock), 0);
  gasnett_rwlock_unlock(&rwlock);
  gasnett_rwlock_wrlock(&rwlock);
  gasnett_rwlock_unlock(&rwlock);
  gasnett_rwlock_destroy(&rwlock);
  memset(&rwlock, 0xff, sizeof rwlock);
  gasnett_rwlock_init(&rwlock);
  CHECK_EQ(gasnett_rwlock_trywrlock(&rwlock), 0);
  gasnett_rwlock_unlock(&rwlock);
  gasnett_rwlock_destroy(&rwlock);

  CHECK(gasnett_threadkey_get(test_key) == NULL);
  gasnett_threadkey_set(test_key, &mutex);
  gasnett_threadkey_init(test_key);
  CHECK(gasnett_threadkey_get_noinit(test_key) == (void *)&mutex);
  gasnett_threadkey_set_noinit(test_key, NULL);
}

/* ---- Numbers and bytes ---- */

static inline void numbers(void) {
  char text[40];
  for (int is_size = 0; is_size < 2; is_size++) {
    for (int bit = 0; bit < 62; bit++) {
      int64_t number = (INT64_C(1) << bit) + (bit % 3 ? 0 : 5);
      CHECK(gasnett_format_number(number, text, sizeof text, is_size) == text);
      CHECK_EQ(gasnett_parse_int(text, (uint64_t)is_size), number);
    }
    CHECK_EQ(gasnett_parse_int(gasnett_format_number(0, text, sizeof text, is_size), (uint64_t)is_size), 0);
    CHECK_EQ(gasnett_parse_int(gasnett_format_number(-3072, text, sizeof text, is_size), (uint64_t)is_size), -3072);
  }
  CHECK_EQ(gasnett_parse_int("0x10", 0), 16);
  CHECK_EQ(gasnett_parse_int(" 12 ", 0), 12);
  CHECK_EQ(gasnett_parse_int("2 MB", 1), 2 << 20);
  CHECK_EQ(gasnett_parse_int("2m", 1), 2 << 20);
  CHECK_EQ(gasnett_parse_int("1.5KiB", 1), 1536);
  CHECK_EQ(gasnett_parse_int("-1.5KiB", 1), -1536);
  CHECK_EQ(gasnett_parse_int(" -0.5K", 1), -512);
  CHECK_EQ(gasnett_parse_int("+0.5K", 1), 512);
  CHECK_EQ(gasnett_parse_int("3", 1024), 3072);
  CHECK_EQ(gasnett_parse_int("3 B", 1024), 3);

  static const char bytes[] = {0, 1, 0, 2, 3, 0, 0, 4, 5};
  char copy[sizeof bytes + 1] = {0};
  for (size_t n = 0; n <= sizeof bytes; n++) {
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++) zeros += bytes[i] == 0;
    CHECK_EQ(gasnett_count0s(bytes, n), zeros);
    CHECK_EQ(gasnett_count0s_copy(copy, bytes, n), zeros);
    CHECK(!memcmp(copy, bytes, n));
  }
  CHECK_EQ(gasnett_count0s_uint32_t(0x00ff00ff), 2);
  CHECK_EQ(gasnett_count0s_uint64_t(1), 7);
  CHECK_EQ(gasnett_count0s_uintptr_t(0), sizeof(uintptr_t));
  CHECK(gasnett_checksum("ab", 2) != gasnett_checksum("ba", 2));
  CHECK(gasnett_checksum("ab", 2) == gasnett_checksum("ab", 2));
}

/* ---- Values ---- */

static inline uint64_t value_at(const void *place, size_t bytes) { GASNETT_VALUE_RETURN(place, bytes); }

static inline void values(void) {
  const uint64_t number = UINT64_C(0x8182838485868788);
  for (size_t bytes = 1; bytes <= 8; bytes++) {
    unsigned char places[10], copy[10];
    memset(places, 0x11, sizeof places);
    GASNETT_VALUE_ASSIGN(places + 1, number, bytes);
    CHECK(places[0] == 0x11 && places[bytes + 1] == 0x11);
    uint64_t kept = bytes == 8 ? number : number & ((UINT64_C(1) << (8 * bytes)) - 1);
    CHECK(value_at(places + 1, bytes) == kept);
    memset(copy, 0, sizeof copy);
    GASNETT_FAST_ALIGNED_MEMCPY(copy, places, 8);
    GASNETT_FAST_UNALIGNED_MEMCPY(copy + 7, places + 7, 3);
    CHECK(!memcmp(copy, places, sizeof copy));
  }
  uint32_t word;
  GASNETT_VALUE_ASSIGN(&word, number, sizeof word);
  CHECK(word == (uint32_t)number);
}

/* ---- The environment ---- */

static inline void environment(void) {
  gasnett_unsetenv("TEST_OF_TOOLS");
  CHECK(gasnett_getenv("TEST_OF_TOOLS") == NULL);
  CHECK(!strcmp(gasnett_getenv_withdefault("TEST_OF_TOOLS", "so"), "so"));
  CHECK_EQ(gasnett_getenv_yesno_withdefault("TEST_OF_TOOLS", 1), 1);
  CHECK_EQ(gasnett_getenv_int_withdefault("TEST_OF_TOOLS", -4, 0), -4);
  CHECK(gasnett_getenv_dbl_withdefault("TEST_OF_TOOLS", 0.25) == 0.25);
  gasnett_setenv("TEST_OF_TOOLS", "1");
  CHECK(!strcmp(gasnett_getenv("TEST_OF_TOOLS"), "1"));
  CHECK_EQ(gasnett_getenv_yesno_withdefault("TEST_OF_TOOLS", 0), 1);
  CHECK_EQ(gasnett_getenv_int_withdefault("TEST_OF_TOOLS", 0, 1024), 1024);
  CHECK(gasnett_getenv_dbl_withdefault("TEST_OF_TOOLS", 0) == 1);
  gasnett_setenv("TEST_OF_TOOLS", "3/4");
  CHECK(gasnett_getenv_dbl_withdefault("TEST_OF_TOOLS", 0) == 0.75);
  gasnett_setenv("TEST_OF_TOOLS", "No");
  CHECK_EQ(gasnett_getenv_yesno_withdefault("TEST_OF_TOOLS", 1), 0);
}

/* ---- The system ---- */

static int signal_seen;
GASNETT_EXTERNC void on_signal(int number) { signal_seen = number; }

static inline void system_calls(void) {
  CHECK_EQ(gasnett_cpu_count(), sysconf(_SC_NPROCESSORS_ONLN));
  CHECK(gasnett_getPhysMemSz(1) > (uint64_t)1 << 20);
  CHECK(strlen(gasnett_gethostname()) > 0);
  CHECK(strstr(gasnett_exe_name(), "/gasnet_tools") && access(gasnett_exe_name(), X_OK) == 0);
  CHECK(gasnett_performance_warning_str() != NULL);
  char *memory = (char *)gasnett_mmap(2 * GASNETT_PAGESIZE);
  CHECK((uintptr_t)memory % GASNETT_PAGESIZE == 0 && memory[2 * GASNETT_PAGESIZE - 1] == 0);
  CHECK_EQ(1 << GASNETT_PAGESHIFT, GASNETT_PAGESIZE);

  gasnett_sighandlerfn_t before = gasnett_reghandler(SIGUSR1, on_signal);
  raise(SIGUSR1);
  CHECK_EQ(signal_seen, SIGUSR1);
  CHECK(gasnett_reghandler(SIGUSR1, before) == on_signal);
  CHECK(!strcmp(gasnett_signame_fromval(SIGUSR1), "SIGUSR1"));

  const char *place = gasnett_current_loc;
  CHECK(strstr(place, "system_calls(") == place);
}

/* Hooks of absent features change nothing, and at most evaluate their arguments. */
static inline void hooks(void) {
  const char *file = "unchanged";
  unsigned line = 77;
  GASNETT_TRACE_GETSOURCELINE(&file, &line);
  GASNETT_TRACE_SETSOURCELINE(file, line);
  GASNETT_TRACE_FREEZESOURCELINE();
  GASNETT_TRACE_UNFREEZESOURCELINE();
  CHECK(!strcmp(file, "unchanged") && line == 77);
  CHECK(!GASNETT_TRACE_ENABLED);
  void (*const print)(const char *format, ...) = _gasnett_trace_printf_noop;
  print("%d", 1);
  GASNETT_TRACE_PRINTF("%d", 1);
  GASNETT_TRACE_PRINTF_FORCE("%d", 1);
  GASNETT_TRACE_SETMASK("all");
  CHECK_EQ(strlen(GASNETT_TRACE_GETMASK()), 0);
  GASNETT_TRACE_SET_TRACELOCAL(1);
  CHECK_EQ(GASNETT_TRACE_GET_TRACELOCAL(), 0);
  CHECK_EQ(GASNETT_STATS_INIT(NULL), 0);
  GASNETT_STATS_PRINTF("%d", 1);
  GASNETT_STATS_PRINTF_FORCE("%d", 1);
  GASNETT_STATS_SETMASK("all");
  CHECK_EQ(strlen(GASNETT_STATS_GETMASK()), 0);
  GASNETT_STATS_DUMP(1);
}
static inline void hooks_in_a_child(void) {
  ENDS(0, hooks);
  CHECK_EQ(strlen(heard), 0);
}

static inline void all_tools(void) {
  annotations();
  times();
  fences();
  atomics();
  locks();
  numbers();
  values();
  environment();
  system_calls();
  hooks_in_a_child();
  all_in_children();
  between_threads();
}

#endif
