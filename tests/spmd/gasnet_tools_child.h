/* Behaviour of GASNet's tools that needs a separate process: how it ends, freezes, and loses its streams and limits;
 * its output. Children are forked before there are threads and before the start. */
#ifndef GASNET_TOOLS_CHILD_H
#define GASNET_TOOLS_CHILD_H

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "process_state.h"
#include "gasnet_tools_threads.h"

/* ---- Children ---- */

struct child {
  pid_t pid;
  int out; /* its standard output and error */
};

/* It ends with exit code 0 if `work` returns and all checks held. */
static inline struct child begin(void (*work)(void)) {
  struct child child;
  int ends[2];
  fflush(NULL);
  if (pipe(ends) || (child.pid = fork()) < 0) abort();
  if (child.pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    check_failures = 0;
    work();
    _exit(check_result());
  }
  close(ends[1]);
  child.out = ends[0];
  return child;
}

/* Reads a line; end < 0: the whole output. */
static inline void hear(struct child child, int end, char *text, size_t room) {
  size_t n = 0;
  while (n + 1 < room && read(child.out, text + n, 1) == 1)
    if (text[n++] == end) break;
  text[n] = 0;
}

/* Its exit code, and the rest of its output; -1: it died of a signal. */
static inline int ended(struct child child, char *text, size_t room) {
  int status = 0;
  hear(child, -1, text, room);
  close(child.out);
  CHECK_EQ(waitpid(child.pid, &status, 0), child.pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char heard[8192];

#define ENDS(code, work)                                                       \
  do {                                                                         \
    int code_ = ended(begin(work), heard, sizeof heard);                       \
    CHECK_EQ(code_, code);                                                     \
    if (code_ != (code)) fprintf(stderr, "  %s wrote: %s\n", #work, heard);    \
  } while (0)
#define ENDS_SAYING(code, work, words)                                         \
  do {                                                                         \
    ENDS(code, work);                                                          \
    CHECK(strstr(heard, words));                                               \
    if (!strstr(heard, words)) fprintf(stderr, "  %s wrote: %s\n", #work, heard); \
  } while (0)

/* The child's output through it stays there until it is flushed. */
static inline FILE *buffered(void) {
  FILE *stream = fdopen(dup(STDOUT_FILENO), "w");
  if (!stream) abort();
  return stream;
}

/* ---- Ends ---- */

static inline void at_end(void) {
  if (write(STDOUT_FILENO, "at exit", 7) != 7) abort();
}

static inline void be_killed(void) {
  atexit(at_end);
  fprintf(buffered(), "buffered");
  gasnett_killmyprocess(23);
}

static inline void end_fatally(void) {
  fprintf(buffered(), "buffered");
  gasnett_fatalerror("the end of %d", 42);
}
enum { PAGE_LINES = 60 };
static inline void end_fatally_with_a_page(void) {
  char page[64 * PAGE_LINES] = "";
  for (int line = 0; line < PAGE_LINES; line++)
    snprintf(page + strlen(page), sizeof page - strlen(page), "line %d of those that a program has to say\n", line);
  gasnett_fatalerror_nopos("\n%s", page);
}
static inline void end_fatally_with_calls(void) {
  gasnett_setenv("GASNET_BACKTRACE", "1");
  end_fatally();
}
static inline void end_fatally_at_last(void) {
  gasnett_setenv("GASNET_BACKTRACE", "perhaps");
  end_fatally();
}

GASNETT_EXTERNC void gone(void) GASNETT_NORETURN GASNETT_COLD;
GASNETT_NORETURNP(gone)
void gone(void) { gasnett_fatalerror("%s", gasnett_current_loc); }

static inline void ends(void) {
  ENDS(23, be_killed);
  CHECK_EQ(strlen(heard), 0);
  ENDS_SAYING(EXIT_FAILURE, end_fatally, "the end of 42\n");
  CHECK(strstr(heard, "buffered") && !strstr(heard, "own way"));
  ENDS_SAYING(EXIT_FAILURE, end_fatally_with_a_page, "\nline 0 of those that a program has to say\nline 1 of ");
  CHECK(strstr(heard, "\nline 59 of those that a program has to say\n") && strstr(heard, "the program ends the job"));
  ENDS_SAYING(EXIT_FAILURE, end_fatally_with_calls, "the end of 42\n");
  CHECK(strstr(heard, "own way"));
  ENDS_SAYING(EXIT_FAILURE, end_fatally_at_last, "GASNET_BACKTRACE=perhaps");
  ENDS_SAYING(EXIT_FAILURE, gone, "gone(");
}

/* ---- Streams ---- */

static inline void flush(void) {
  fprintf(buffered(), "flushed");
  gasnett_flush_streams();
  _exit(0);
}

static inline void lose_streams(void) {
  fprintf(buffered(), "flushed");
  gasnett_close_streams();
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) != -1) _exit(90 + fd);
  _exit(0);
}

static inline void streams(void) {
  ENDS_SAYING(0, flush, "flushed");
  ENDS_SAYING(0, lose_streams, "flushed");
}

/* ---- Limits ---- */

static const int raised[] = {RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_STACK};
enum { RAISED_N = sizeof raised / sizeof raised[0] };

/* False: it cannot be lowered. */
static inline bool lower(int resource) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)resource, &limit)) abort();
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? (rlim_t)1 << 40 : limit.rlim_max - 1;
  return limit.rlim_max != 0 && setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}
static inline bool is_highest(int resource) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)resource, &limit)) abort();
  return limit.rlim_cur == limit.rlim_max;
}

static inline void raise_limits(void) {
  CHECK(lower(RLIMIT_NOFILE) && !is_highest(RLIMIT_NOFILE));
  CHECK(gasnett_maximize_rlimit(RLIMIT_NOFILE, "RLIMIT_NOFILE") != 0);
  CHECK(is_highest(RLIMIT_NOFILE));
  CHECK_EQ(gasnett_maximize_rlimit(-1, "no limit"), 0);
  for (int i = 0; i < RAISED_N; i++) CHECK(lower(raised[i]) && !is_highest(raised[i]));
  CHECK(gasnett_maximize_rlimits() != 0);
  for (int i = 0; i < RAISED_N; i++) CHECK(is_highest(raised[i]));
}

static inline void bind_to_core(void) {
  cpu_set_t may, one, both;
  CHECK_EQ(sched_getaffinity(0, sizeof may, &may), 0);
  for (int rank = 0; rank < 3; rank++) {
    CHECK_EQ(sched_setaffinity(0, sizeof may, &may), 0);
    CHECK_EQ(gasnett_set_affinity(rank), 0);
    CHECK_EQ(sched_getaffinity(0, sizeof one, &one), 0);
    CPU_AND(&both, &may, &one);
    CHECK(CPU_COUNT(&one) == 1 && CPU_EQUAL(&both, &one));
  }
}

static inline void limits(void) {
  ENDS(0, raise_limits);
  ENDS(0, bind_to_core);
}

/* ---- Freezing ---- */

/* Which of the child and its parent is the debugger. */
static struct freezer {
  volatile int flag, gone_on, own_signals_n;
} *freezer;

static inline void on_own_signal(int number) {
  (void)number;
  freezer->own_signals_n = freezer->own_signals_n + 1;
}
static inline void set_frozen(int number) {
  (void)number;
  gasnet_frozen = 0;
}

/* The handler of the thawing signal is the program's own before and afterwards. */
static inline void freeze(void) {
  signal(SIGCONT, on_own_signal);
  raise(SIGCONT);
  CHECK_EQ(freezer->own_signals_n, 1);
  gasnett_freezeForDebuggerNow(&freezer->flag, "freezer->flag");
  freezer->gone_on = 1;
  CHECK_EQ(freezer->flag, 0);
  CHECK_EQ(freezer->own_signals_n, 1);
  raise(SIGCONT);
  CHECK_EQ(freezer->own_signals_n, 2);
}
static inline void freeze_deaf(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCONT);
  sigprocmask(SIG_BLOCK, &set, NULL);
  freeze();
}
static inline void freeze_if_asked(void) {
  signal(SIGUSR1, set_frozen);
  gasnett_freezeForDebuggerErr();
  freezer->gone_on = 1;
  CHECK_EQ(gasnet_frozen, 0);
}
static inline void freeze_as_asked(void) {
  gasnett_setenv("GASNET_FREEZE_ON_ERROR", "1");
  freeze_if_asked();
}
static inline void freeze_fatally(void) {
  gasnett_setenv("GASNET_FREEZE_ON_ERROR", "1");
  end_fatally();
}

static inline struct child begin_frozen(void (*work)(void), const char *flag) {
  char line[512], pid[32];
  freezer->flag = freezer->gone_on = freezer->own_signals_n = 0;
  struct child child = begin(work);
  do hear(child, '\n', line, sizeof line);
  while (line[0] && !strstr(line, "frozen;"));
  snprintf(pid, sizeof pid, "process %d ", (int)child.pid);
  CHECK(strstr(line, pid) && strstr(line, flag) && strstr(line, "SIGCONT"));
  char state;
  /* S: it sleeps, which only a freeze makes it do; Z: it has ended, and was not waited for. */
  while ((state = process_state(child.pid)) != 'S' && state != 'Z') sched_yield();
  CHECK_EQ(state, 'S');
  CHECK_EQ(freezer->gone_on, 0);
  return child;
}
static inline void check_thawed(struct child child, int code, int gone_on) {
  CHECK_EQ(ended(child, heard, sizeof heard), code);
  CHECK_EQ(freezer->gone_on, gone_on);
}

static inline void freezing(void) {
  freezer = (struct freezer *)mmap(NULL, sizeof *freezer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (freezer == MAP_FAILED) abort();
  struct child child = begin_frozen(freeze, "freezer->flag");
  CHECK_EQ(freezer->flag, 1);
  freezer->flag = 0;
  freezer->own_signals_n = 1;
  check_thawed(child, 0, 1);
  child = begin_frozen(freeze, "freezer->flag");
  kill(child.pid, SIGCONT);
  check_thawed(child, 0, 1);
  ENDS(0, freeze_if_asked);
  CHECK_EQ(strlen(heard), 0);
  child = begin_frozen(freeze_as_asked, "gasnet_frozen");
  kill(child.pid, SIGUSR1);
  check_thawed(child, 0, 1);
  child = begin_frozen(freeze_fatally, "gasnet_frozen");
  kill(child.pid, SIGCONT);
  check_thawed(child, EXIT_FAILURE, 0);
  CHECK(strstr(heard, "the end of 42"));
  munmap(freezer, sizeof *freezer);
}

/* ---- The place of a thread ---- */

static bool own_way_fails;
GASNETT_EXTERNC int own_way(int fd) { return own_way_fails || write(fd, "own way\n", 8) != 8; }
gasnett_backtrace_type_t gasnett_backtrace_user = {"OWN", own_way, 1};

static inline void print_in_own_way(void) {
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "OTHER,OWN");
  CHECK_EQ(gasnett_print_backtrace(STDERR_FILENO), 0);
}
static inline void print_in_another_way(void) {
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "EXECINFO");
  CHECK_EQ(gasnett_print_backtrace(STDERR_FILENO), 0);
}
static inline void print_in_the_next_way(void) {
  own_way_fails = true;
  CHECK_EQ(gasnett_print_backtrace(STDERR_FILENO), 0);
}
static inline void print_unasked(void) { CHECK_EQ(gasnett_print_backtrace_ifenabled(STDERR_FILENO), 1); }
static inline void print_as_asked(void) {
  gasnett_setenv("GASNET_BACKTRACE", "1");
  CHECK_EQ(gasnett_print_backtrace_ifenabled(STDERR_FILENO), 0);
}
/* Later calls need no memory: signal handlers may call. */
static inline void print_without_memory(void) {
  gasnett_backtrace_init("test");
  own_way_fails = true;
  size_t before = mallinfo2().uordblks;
  CHECK_EQ(gasnett_print_backtrace(STDERR_FILENO), 0);
  CHECK_EQ(mallinfo2().uordblks, before);
}

static inline void backtraces(void) {
  ENDS(0, print_in_own_way);
  CHECK(!strcmp(heard, "own way\n"));
  ENDS_SAYING(0, print_in_another_way, "/gasnet_tools");
  CHECK(!strstr(heard, "own way"));
  ENDS_SAYING(0, print_in_the_next_way, "/gasnet_tools");
  ENDS(0, print_unasked);
  CHECK_EQ(strlen(heard), 0);
  ENDS_SAYING(0, print_as_asked, "own way\n");
  ENDS_SAYING(0, print_without_memory, "/gasnet_tools");
}

/* ---- Output about the environment ---- */

static inline void read_aloud(void) {
  gasnett_setenv("GASNET_VERBOSEENV", "1");
  CHECK_EQ(gasnett_verboseenv(), 1);
  CHECK_EQ(gasnett_getenv_int_withdefault("TEST_A", 4096, 1), 4096);
  CHECK_EQ(gasnett_getenv_yesno_withdefault("TEST_B", 0), 0);
  gasnett_envstr_display("TEST_C", "text", 0);
  gasnett_envint_display("TEST_D", 4096, 0, 0);
  gasnett_envdbl_display("TEST_E", 0.5, 1);
}
static inline void read_silently(void) {
  gasnett_unsetenv("GASNET_VERBOSEENV");
  CHECK_EQ(gasnett_verboseenv(), 0);
  gasnett_envstr_display("TEST_C", "text", 0);
  gasnett_envint_display("TEST_D", 4096, 0, 0);
  gasnett_envdbl_display("TEST_E", 0.5, 1);
}

static inline void spoken_environment(void) {
  ENDS_SAYING(0, read_aloud, "TEST_A = 4 KB (default)\n");
  CHECK(strstr(heard, "TEST_B = no (default)\n") && strstr(heard, "TEST_C = text\n"));
  CHECK(strstr(heard, "TEST_D = 4096\n") && strstr(heard, "TEST_E = 0.5 (default)\n"));
  ENDS(0, read_silently);
  CHECK_EQ(strlen(heard), 0);
}

/* ---- Assertions on locks ---- */

static gasnett_mutex_t asserted_mutex = GASNETT_MUTEX_INITIALIZER;
static gasnett_rwlock_t asserted_rwlock = GASNETT_RWLOCK_INITIALIZER, other_rwlock = GASNETT_RWLOCK_INITIALIZER;

static inline void assert_rightly(void) {
  gasnett_mutex_assertunlocked(&asserted_mutex);
  gasnett_mutex_lock(&asserted_mutex);
  gasnett_mutex_assertlocked(&asserted_mutex);
  gasnett_mutex_unlock(&asserted_mutex);
  CHECK_EQ(gasnett_mutex_trylock(&asserted_mutex), 0);
  gasnett_mutex_assertlocked(&asserted_mutex);
  gasnett_mutex_unlock(&asserted_mutex);
  gasnett_mutex_assertunlocked(&asserted_mutex);
  gasnett_rwlock_assertunlocked(&asserted_rwlock);
  gasnett_rwlock_rdlock(&other_rwlock);
  gasnett_rwlock_rdlock(&asserted_rwlock);
  CHECK_EQ(gasnett_rwlock_tryrdlock(&asserted_rwlock), 0);
  gasnett_rwlock_unlock(&other_rwlock);
  gasnett_rwlock_unlock(&asserted_rwlock);
  gasnett_rwlock_assertlocked(&asserted_rwlock);
  gasnett_rwlock_assertrdlocked(&asserted_rwlock);
  gasnett_rwlock_unlock(&asserted_rwlock);
  gasnett_rwlock_assertunlocked(&asserted_rwlock);
  gasnett_rwlock_wrlock(&asserted_rwlock);
  gasnett_rwlock_assertlocked(&asserted_rwlock);
  gasnett_rwlock_assertwrlocked(&asserted_rwlock);
  gasnett_rwlock_unlock(&asserted_rwlock);
  CHECK_EQ(gasnett_rwlock_trywrlock(&asserted_rwlock), 0);
  gasnett_rwlock_assertwrlocked(&asserted_rwlock);
  gasnett_rwlock_unlock(&asserted_rwlock);
  gasnett_rwlock_assertunlocked(&asserted_rwlock);
}

/* Assertions on more locks than the library records are not checked until all are released. */
static inline void assert_of_many(void) {
  enum { LOCKS_N = 40 }; /* the library's 32; TSan's 64 */
  static gasnett_rwlock_t locks[LOCKS_N];
  for (int i = 0; i < LOCKS_N; i++) gasnett_rwlock_init(&locks[i]), gasnett_rwlock_rdlock(&locks[i]);
  for (int i = 0; i < LOCKS_N; i++) gasnett_rwlock_assertrdlocked(&locks[i]), gasnett_rwlock_unlock(&locks[i]);
  for (int i = 0; i < LOCKS_N; i++) gasnett_rwlock_assertunlocked(&locks[i]);
  assert_rightly();
}

static inline void mutex_not_taken(void) { gasnett_mutex_assertlocked(&asserted_mutex); }
static inline void mutex_taken(void) {
  gasnett_mutex_lock(&asserted_mutex);
  gasnett_mutex_assertunlocked(&asserted_mutex);
  gasnett_mutex_unlock(&asserted_mutex);
}
static inline void rwlock_not_taken(void) { gasnett_rwlock_assertlocked(&asserted_rwlock); }
static inline void rwlock_taken(void) {
  gasnett_rwlock_rdlock(&asserted_rwlock);
  gasnett_rwlock_assertunlocked(&asserted_rwlock);
  gasnett_rwlock_unlock(&asserted_rwlock);
}
static inline void read_not_written(void) {
  gasnett_rwlock_rdlock(&asserted_rwlock);
  gasnett_rwlock_assertwrlocked(&asserted_rwlock);
  gasnett_rwlock_unlock(&asserted_rwlock);
}
static inline void written_not_read(void) {
  gasnett_rwlock_wrlock(&asserted_rwlock);
  gasnett_rwlock_assertrdlocked(&asserted_rwlock);
  gasnett_rwlock_unlock(&asserted_rwlock);
}

static const struct {
  void (*work)(void);
  const char *says;
} wrong_assertions[] = {{mutex_not_taken, "mutex_not_taken("},   {mutex_taken, "has not released the lock"},
                        {rwlock_not_taken, "has not taken the"}, {rwlock_taken, "has not released the lock"},
                        {read_not_written, "taken for writing"}, {written_not_read, "taken for reading"}};
enum { WRONG_ASSERTIONS_N = sizeof wrong_assertions / sizeof wrong_assertions[0] };
static int wrong_assertion;

static inline void assert_one_wrongly(void) {
  gasnett_setenv("TESSERA_CHECK", "1");
  wrong_assertions[wrong_assertion].work();
}
static inline void assert_unchecked(void) {
  gasnett_unsetenv("TESSERA_CHECK");
  for (int i = 0; i < WRONG_ASSERTIONS_N; i++) wrong_assertions[i].work();
}
static inline void assert_checked(void) {
  gasnett_setenv("TESSERA_CHECK", "1");
  assert_rightly();
  assert_of_many();
  holding();
  signals();
}

static inline void assertions(void) {
  ENDS(0, assert_checked);
  CHECK_EQ(strlen(heard), 0);
  for (wrong_assertion = 0; wrong_assertion < WRONG_ASSERTIONS_N; wrong_assertion++)
    ENDS_SAYING(EXIT_FAILURE, assert_one_wrongly, wrong_assertions[wrong_assertion].says);
  ENDS(0, assert_unchecked);
  CHECK_EQ(strlen(heard), 0);
}

static inline void all_in_children(void) {
  ends();
  streams();
  limits();
  freezing();
  backtraces();
  spoken_environment();
  assertions();
}

#endif
