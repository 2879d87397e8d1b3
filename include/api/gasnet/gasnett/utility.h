/* GASNet tools: time, the environment, the system, and what helps to find errors. Part of gasnet_tools.h. */
#ifndef TSR_GASNETT_UTILITY_H
#define TSR_GASNETT_UTILITY_H

#include <stddef.h>
#include <stdint.h>

#include <gasnett/annotate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Time ---- */

/* Ticks are nanoseconds since some moment, the same for all processes of a host; they never go back. */
typedef uint64_t gasnett_tick_t;
#define GASNETT_TICK_MIN ((gasnett_tick_t)0)
#define GASNETT_TICK_MAX ((gasnett_tick_t)UINT64_MAX)
gasnett_tick_t gasnett_ticks_now(void);
static inline uint64_t gasnett_ticks_to_ns(gasnett_tick_t ticks) { return ticks; }
static inline uint64_t gasnett_ticks_to_us(gasnett_tick_t ticks) { return ticks / 1000; }
#define GASNETT_TIMER_CONFIG timers_native

/* The least step of the clock, and what reading it costs, in microseconds; measured by each call. */
double gasnett_tick_granularityus(void);
double gasnett_tick_overheadus(void);

uint64_t gasnett_gettimeofday_us(void);

/* Sleeps at least so long, whatever signals come. Returns 0. */
int gasnett_nsleep(uint64_t ns);

/* ---- The system ---- */

int gasnett_cpu_count(void);
/* Bytes; 0: the system does not tell, which is fatal where the caller says so. */
uint64_t gasnett_getPhysMemSz(int failure_is_fatal);
const char *gasnett_gethostname(void);
const char *gasnett_exe_name(void); /* the program's file; "": the system does not tell */
int gasnett_isLittleEndian(void);

/* Binds the calling thread to one of the cores that it may use. 0: done. */
#define GASNETT_SET_AFFINITY_SUPPORT 1
int gasnett_set_affinity(int rank);

/* Raise what may be raised of the process's resource limits. Not 0: something was. */
int gasnett_maximize_rlimits(void);
int gasnett_maximize_rlimit(int resource, const char *name);

/* Zeroed memory of whole pages that stays; ends the job when there is none. */
void *gasnett_mmap(uintptr_t bytes);

void gasnett_flush_streams(void);
void gasnett_close_streams(void);

/* The former handler; as signal(). */
typedef void (*gasnett_sighandlerfn_t)(int);
gasnett_sighandlerfn_t gasnett_reghandler(int signal_number, gasnett_sighandlerfn_t handler);
const char *gasnett_signame_fromval(int signal_number);

/* ---- Bytes ---- */

uint64_t gasnett_checksum(const void *data, int bytes);

/* How many bytes are 0: of a number, of memory, or of memory while it is copied. */
size_t gasnett_count0s(const void *data, size_t bytes);
size_t gasnett_count0s_copy(void *GASNETT_RESTRICT to, const void *GASNETT_RESTRICT from, size_t bytes);
static inline int gasnett_count0s_uint64_t(uint64_t number) { return (int)gasnett_count0s(&number, sizeof number); }
static inline int gasnett_count0s_uint32_t(uint32_t number) { return (int)gasnett_count0s(&number, sizeof number); }
static inline int gasnett_count0s_uintptr_t(uintptr_t number) { return (int)gasnett_count0s(&number, sizeof number); }

/* Copies and numbers of 1 to 8 bytes as compilers of languages generate them: the last bytes of a number, whatever the memory's
 * alignment. The last macro is a return statement of a function whose type is gex_RMA_Value_t. */
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

/* ---- Numbers in words: a memory size has a unit, B, KB, MB and so on, of powers of 1024 ---- */

/* Returns `text`. What it writes, gasnett_parse_int reads as the same number. */
char *gasnett_format_number(int64_t number, char *text, size_t text_bytes, int is_memory_size);

/* `unit` is that of a number without one; 0: it is no memory size, and units are no part of it. Ends the job when the text is
 * no number. */
int64_t gasnett_parse_int(const char *text, uint64_t unit);

/* ---- The environment ---- */

char *gasnett_getenv(const char *name);
void gasnett_setenv(const char *name, const char *value);
void gasnett_unsetenv(const char *name);
/* Where the variable is not set, or empty, the default. What is no such value ends the job. */
char *gasnett_getenv_withdefault(const char *name, const char *standard);
int gasnett_getenv_yesno_withdefault(const char *name, int standard);
int64_t gasnett_getenv_int_withdefault(const char *name, int64_t standard, uint64_t unit);
double gasnett_getenv_dbl_withdefault(const char *name, double standard);

/* Whether GASNET_VERBOSEENV wants to hear of every variable that is read, and how it hears of it. */
int gasnett_verboseenv(void);
void gasnett_envstr_display(const char *name, const char *value, int is_standard);
void gasnett_envint_display(const char *name, int64_t value, int is_standard, int is_memory_size);
void gasnett_envdbl_display(const char *name, double value, int is_standard);

/* ---- Errors ---- */

/* Ends the job with a message, after what GASNET_FREEZE_ON_ERROR and GASNET_BACKTRACE ask for. It may have several lines. No
 * place of the program is part of it, which is what the second name is for. */
void gasnett_fatalerror(const char *format, ...) __attribute__((__format__(__printf__, 1, 2), __noreturn__));
#define gasnett_fatalerror_nopos gasnett_fatalerror
/* Ends the process alone, without anything that programs do at their end. */
void gasnett_killmyprocess(int code) __attribute__((__noreturn__));

/* "function(file:line)", good until the same thread has asked some times more. */
#define gasnett_current_loc gasnett_location_(__func__, __FILE__, __LINE__)
char *gasnett_location_(const char *function, const char *file, int line);

/* Sets *flag to 1 and waits until a debugger makes it 0, or the process gets SIGCONT, which makes it 0, too. The other one
 * does so with gasnet_frozen, and only where GASNET_FREEZE_ON_ERROR is set. */
void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flag_name);
void gasnett_freezeForDebuggerErr(void);
extern volatile int gasnet_frozen;

/* What the library is, not the headers: "2025.8.0", and a number that grows. */
const char *gasnett_release_version_str(void);
uint64_t gasnett_release_version(void);

/* What makes this library slower than it could be, a line each; "": nothing. */
const char *gasnett_performance_warning_str(void);

/* Writes where the calling thread is. 0: done. The program may define a way of its own, by a name that GASNET_BACKTRACE_TYPE
 * can list ("NAME,EXECINFO"); it comes first when nothing is listed. _ifenabled: only where GASNET_BACKTRACE is set. */
typedef struct {
  const char *name;
  int (*fnp)(int fd); /* 0: done; else the next way is tried */
  int threadsupport;  /* whether it is right with several threads */
} gasnett_backtrace_type_t;
extern gasnett_backtrace_type_t gasnett_backtrace_user;
void gasnett_backtrace_init(const char *program);
int gasnett_print_backtrace(int fd);
int gasnett_print_backtrace_ifenabled(int fd);

/* ---- Hooks of a tracing library, which this one is not: see TESSERA_TRACE and TESSERA_STATS ---- */

__attribute__((__format__(__printf__, 1, 2))) static inline void gasnett_trace_nothing_(const char *format, ...) {
  (void)format;
}
#define _gasnett_trace_printf_noop gasnett_trace_nothing_ /* as programs call it that take its address */
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
