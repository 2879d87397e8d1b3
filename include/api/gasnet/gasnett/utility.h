/* GASNet tools: time, environment, system, and help with finding errors. Part of gasnet_tools.h. */
#ifndef TSR_GASNETT_UTILITY_H
#define TSR_GASNETT_UTILITY_H

#include <stddef.h>
#include <stdint.h>

#include <gasnett/annotate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Time ---- */

/* Return the time in ticks, and ticks as nanoseconds and microseconds. Ticks are nanoseconds since some point in time, the same
 * for all processes of a host; they never decrease. */
typedef uint64_t gasnett_tick_t;
#define GASNETT_TICK_MIN ((gasnett_tick_t)0)
#define GASNETT_TICK_MAX ((gasnett_tick_t)UINT64_MAX)
gasnett_tick_t gasnett_ticks_now(void);
static inline uint64_t gasnett_ticks_to_ns(gasnett_tick_t ticks) { return ticks; }
static inline uint64_t gasnett_ticks_to_us(gasnett_tick_t ticks) { return ticks / 1000; }
#define GASNETT_TIMER_CONFIG timers_native

/* Return the smallest step of the clock, and the cost of reading it, in microseconds. Each call measures it. */
double gasnett_tick_granularityus(void);
double gasnett_tick_overheadus(void);

/* Returns the time in microseconds since the beginning of 1970. */
uint64_t gasnett_gettimeofday_us(void);

/* Sleeps at least this long, also if signals arrive. Returns 0. */
int gasnett_nsleep(uint64_t ns);

/* ---- The system ---- */

/* Returns the number of cores that are online; 0: unknown. */
int gasnett_cpu_count(void);
/* Returns the size of physical memory in bytes; 0 if the system does not report it, which ends the job if
 * failure_is_fatal. */
uint64_t gasnett_getPhysMemSz(int failure_is_fatal);
/* Return the name of the host, the program's file ("": unknown), and 1 if the lowest byte of a number comes first, else 0. */
const char *gasnett_gethostname(void);
const char *gasnett_exe_name(void);
int gasnett_isLittleEndian(void);

/* Binds the calling thread to one of the cores on which it may run. Returns 0 on success. */
#define GASNETT_SET_AFFINITY_SUPPORT 1
int gasnett_set_affinity(int rank);

/* Raise the process's resource limits as far as possible. Not 0: a limit was raised. */
int gasnett_maximize_rlimits(void);
int gasnett_maximize_rlimit(int resource, const char *name);

/* Returns zeroed memory of whole pages, which is never freed; ends the job if there is none. */
void *gasnett_mmap(uintptr_t bytes);

/* Write out what all streams hold; gasnett_close_streams then closes the standard streams. */
void gasnett_flush_streams(void);
void gasnett_close_streams(void);

/* Sets a signal handler and returns the former one, as signal(). */
typedef void (*gasnett_sighandlerfn_t)(int);
gasnett_sighandlerfn_t gasnett_reghandler(int signal_number, gasnett_sighandlerfn_t handler);
/* Returns the name of a signal. */
const char *gasnett_signame_fromval(int signal_number);

/* ---- Bytes ---- */

/* Returns a checksum of bytes. */
uint64_t gasnett_checksum(const void *data, int bytes);

/* Return the number of zero bytes in memory, in memory that is copied at the same time, or in a number. */
size_t gasnett_count0s(const void *data, size_t bytes);
size_t gasnett_count0s_copy(void *GASNETT_RESTRICT to, const void *GASNETT_RESTRICT from, size_t bytes);
static inline int gasnett_count0s_uint64_t(uint64_t number) { return (int)gasnett_count0s(&number, sizeof number); }
static inline int gasnett_count0s_uint32_t(uint32_t number) { return (int)gasnett_count0s(&number, sizeof number); }
static inline int gasnett_count0s_uintptr_t(uintptr_t number) { return (int)gasnett_count0s(&number, sizeof number); }

/* For code that other compilers generate: copies of memory, and loads and stores of the low 1 to 8 bytes of a
 * number, at any alignment. The last macro is a return statement of a function of type gex_RMA_Value_t. */
#define GASNETT_FAST_ALIGNED_MEMCPY(to, from, bytes) ((void)__builtin_memcpy((to), (from), (bytes)))
#define GASNETT_FAST_UNALIGNED_MEMCPY(to, from, bytes) GASNETT_FAST_ALIGNED_MEMCPY(to, from, bytes)
#define GASNETT_VALUE_ASSIGN(to, value, bytes) gasnett_store_((to), (uint64_t)(value), (bytes))
#define GASNETT_VALUE_RETURN(from, bytes) return gasnett_load_((from), (bytes))
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define GASNETT_LAST_BYTES_(number, bytes) ((char *)(number) + sizeof *(number) - (bytes))
#else
#define GASNETT_LAST_BYTES_(number, bytes) ((char *)(number))
#endif
static inline void gasnett_store_(void *to, uint64_t value, size_t bytes) {
  __builtin_memcpy(to, GASNETT_LAST_BYTES_(&value, bytes), bytes);
}
static inline uint64_t gasnett_load_(const void *from, size_t bytes) {
  uint64_t value = 0;
  __builtin_memcpy(GASNETT_LAST_BYTES_(&value, bytes), from, bytes);
  return value;
}

/* ---- Numbers as text; a memory size has a unit, B, KB, MB and so on, in powers of 1024 ---- */

/* Prints a number and returns `text`. gasnett_parse_int reads the text as the same number. */
char *gasnett_format_number(int64_t number, char *text, size_t text_bytes, int is_memory_size);

/* Reads a number. `unit` applies to a number without a unit; 0: the number is not a memory size, and may not have a
 * unit. Ends the job if the text is not a number. */
int64_t gasnett_parse_int(const char *text, uint64_t unit);

/* ---- The environment ---- */

/* As getenv, setenv and unsetenv; gasnett_setenv replaces an old value. */
char *gasnett_getenv(const char *name);
void gasnett_setenv(const char *name, const char *value);
void gasnett_unsetenv(const char *name);
/* Return the default if the variable is not set or is empty. An invalid value ends the job. */
char *gasnett_getenv_withdefault(const char *name, const char *standard);
int gasnett_getenv_yesno_withdefault(const char *name, int standard);
int64_t gasnett_getenv_int_withdefault(const char *name, int64_t standard, uint64_t unit);
double gasnett_getenv_dbl_withdefault(const char *name, double standard);

/* Whether GASNET_VERBOSEENV requests a line for every variable that is read, and the functions that print it. */
int gasnett_verboseenv(void);
void gasnett_envstr_display(const char *name, const char *value, int is_standard);
void gasnett_envint_display(const char *name, int64_t value, int is_standard, int is_memory_size);
void gasnett_envdbl_display(const char *name, double value, int is_standard);

/* ---- Errors ---- */

/* Ends the job with a message of any number of lines, after the actions of GASNET_FREEZE_ON_ERROR and
 * GASNET_BACKTRACE. The second name exists for programs that do not want a source location in the message; neither
 * prints one. */
void gasnett_fatalerror(const char *format, ...) __attribute__((__format__(__printf__, 1, 2), __noreturn__));
#define gasnett_fatalerror_nopos gasnett_fatalerror
/* Ends the process only, without exit handlers. */
void gasnett_killmyprocess(int code) __attribute__((__noreturn__));

/* "function(file:line)", valid until the same thread has called it several more times. */
#define gasnett_current_loc gasnett_location_(__func__, __FILE__, __LINE__)
char *gasnett_location_(const char *function, const char *file, int line);

/* Sets *flag to 1 and waits until a debugger sets it to 0, or SIGCONT arrives, which sets it to 0, too. The other
 * function does this with gasnet_frozen, and only if GASNET_FREEZE_ON_ERROR is set. */
void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flag_name);
void gasnett_freezeForDebuggerErr(void);
extern volatile int gasnet_frozen;

/* The version of the library (not of the headers): "2025.8.0", and an increasing number. */
const char *gasnett_release_version_str(void);
uint64_t gasnett_release_version(void);

/* Returns what makes this build of the library slower than possible, one item per line; "": nothing. */
const char *gasnett_performance_warning_str(void);

/* Writes a backtrace of the calling thread. Returns 0 on success. The program may define its own method, with a name
 * that GASNET_BACKTRACE_TYPE can list ("NAME,EXECINFO"); if that variable is not set, it is tried first. _ifenabled:
 * only if GASNET_BACKTRACE is set. */
typedef struct {
  const char *name;
  int (*fnp)(int fd); /* 0: done; otherwise the next method is tried */
  int threadsupport;  /* whether it works with several threads */
} gasnett_backtrace_type_t;
extern gasnett_backtrace_type_t gasnett_backtrace_user;
void gasnett_backtrace_init(const char *program);
int gasnett_print_backtrace(int fd);
int gasnett_print_backtrace_ifenabled(int fd);

/* ---- Hooks for a tracing library ----
 *
 * Hooks without effect: see TESSERA_TRACE and TESSERA_STATS. Masks are "", numbers are 0. */

__attribute__((__format__(__printf__, 1, 2))) static inline void gasnett_trace_nothing_(const char *format, ...) {
  (void)format;
}
#define _gasnett_trace_printf_noop gasnett_trace_nothing_ /* for programs that take its address under this name */
#define GASNETT_TRACE_ENABLED 0
#define GASNETT_TRACE_PRINTF gasnett_trace_nothing_
#define GASNETT_TRACE_PRINTF_FORCE gasnett_trace_nothing_
#define GASNETT_TRACE_SETSOURCELINE(file, line) ((void)0)
#define GASNETT_TRACE_GETSOURCELINE(file_p, line_p) ((void)0)
#define GASNETT_TRACE_FREEZESOURCELINE() ((void)0)
#define GASNETT_TRACE_UNFREEZESOURCELINE() ((void)0)
#define GASNETT_TRACE_GETMASK() ""
#define GASNETT_TRACE_SETMASK(mask) ((void)0)
#define GASNETT_TRACE_GET_TRACELOCAL() (0)
#define GASNETT_TRACE_SET_TRACELOCAL(value) ((void)0)
#define GASNETT_STATS_INIT(callback) 0
#define GASNETT_STATS_PRINTF gasnett_trace_nothing_
#define GASNETT_STATS_PRINTF_FORCE gasnett_trace_nothing_
#define GASNETT_STATS_DUMP(reset) ((void)0)
#define GASNETT_STATS_GETMASK() ""
#define GASNETT_STATS_SETMASK(mask) ((void)0)

#ifdef __cplusplus
}
#endif
#endif
