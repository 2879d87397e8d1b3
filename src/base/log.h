/* The log: one line per message on standard error, written with one system call so that lines of several units never mix,
 * prefixed "[tessera unit 3 @host] error: ". An error or warning begins with its identifier, "TSR-0123 "
 * (scripts/check-messages). After an error, and after a report on a wait, a second line tells where the program made the
 * call, if that is known (base/caller.h): "[tessera unit 3 @host] called at heat3d.c:120 in main". TESSERA_LOG sets the level.
 * The process prints the first TSR_LOG_KIND_LINES errors and warnings of one kind, counts the others, and prints the counts at
 * its end. */
#ifndef TSR_BASE_LOG_H
#define TSR_BASE_LOG_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum tsr_log_level { TSR_LOG_ERROR, TSR_LOG_WARN, TSR_LOG_INFO, TSR_LOG_DEBUG };

extern enum tsr_log_level tsr_log_level; /* set from the configuration; errors and warnings by default */

/* Sets the unit number (negative: no unit, or not known yet) and the node name (NULL: not known yet; copied) of the prefix. */
void tsr_log_identity(int32_t unit, const char *node);

/* Messages with the same `format`, a constant of the program, are one kind. */
enum { TSR_LOG_KIND_LINES = 10 };
void tsr_log_write(enum tsr_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));
void tsr_log_write_list(enum tsr_log_level level, const char *format, va_list args)
    __attribute__((format(printf, 2, 0), cold));

/* These three print every message, however many there are of its kind (the first two only up to the level of TESSERA_LOG), and do
 * not call tsr_log_at_error. The first is for reports on the whole job, without the caller; the second for reports on the call that
 * the program is in; the third for the error that ends the process. */
void tsr_log_always(enum tsr_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
void tsr_log_call(enum tsr_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
void tsr_log_last(const char *format, va_list args) __attribute__((format(printf, 1, 0), cold));

/* Called after each error that is printed, unless NULL. One owner. */
extern void (*tsr_log_at_error)(void);
/* Every error and warning is printed, however many of its kind there are. */
extern bool tsr_log_all;

/* Prints how many messages of each kind were not printed since the last call. The normal end of the process calls it; code that
 * ends the process in another way calls it before. Usable in a signal handler. */
void tsr_log_counts(void);

/* An "error: " or a "warning: " from a signal handler: no allocation, no locks, plain text only. */
void tsr_log_signal_safe(const char *kind, const char *text);

#define tsr_log(level, ...)                                   \
  do {                                                        \
    if ((level) <= tsr_log_level) tsr_log_write(level, __VA_ARGS__); \
  } while (0)
#define tsr_error(...) tsr_log(TSR_LOG_ERROR, __VA_ARGS__)
#define tsr_warn(...) tsr_log(TSR_LOG_WARN, __VA_ARGS__)
#define tsr_info(...) tsr_log(TSR_LOG_INFO, __VA_ARGS__)
#define tsr_debug(...) tsr_log(TSR_LOG_DEBUG, __VA_ARGS__)
#define tsr_report(...) tsr_log_always(TSR_LOG_ERROR, __VA_ARGS__)

/* Executes the statement the first time only. */
#define TSR_ONCE(statement)                \
  do {                                     \
    static _Atomic bool said_;             \
    if (!said_ && !atomic_exchange(&said_, true)) { statement; } \
  } while (0)

#endif
