/* The configuration: every TESSERA_* environment variable, parsed once. */
#ifndef TSR_BASE_CONFIG_H
#define TSR_BASE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsr_config {
#define TSR_CONFIG_BYTES(field, name, def, min, max, help) size_t field;
#define TSR_CONFIG_INT(field, name, def, min, max, help) int field;
#define TSR_CONFIG_BOOL(field, name, def, help) bool field;
#define TSR_CONFIG_ENUM(field, name, def, words, help) int field;
#define TSR_CONFIG_TEXT(field, name, def, help) const char *field;
#include "base/config_table.h"
#undef TSR_CONFIG_BYTES
#undef TSR_CONFIG_INT
#undef TSR_CONFIG_BOOL
#undef TSR_CONFIG_ENUM
#undef TSR_CONFIG_TEXT
};

enum { TSR_ERRORS_REPORT, TSR_ERRORS_ALL, TSR_ERRORS_ABORT };
enum { TSR_HEAP_COMMIT_TOUCH, TSR_HEAP_COMMIT_EAGER };
enum { TSR_ATTACH_AUTO, TSR_ATTACH_ON, TSR_ATTACH_OFF };
enum { TSR_NET_AUTO, TSR_NET_MPI, TSR_NET_UCX };
enum { TSR_NET_RMA_TWOSIDED, TSR_NET_RMA_MPI3 };
enum { TSR_UCX_RMA_AUTO, TSR_UCX_RMA_ON, TSR_UCX_RMA_OFF };
enum { TSR_UCX_MEMORY_HEAP, TSR_UCX_MEMORY_TEST };
enum { TSR_MPI_THREADS_MULTIPLE, TSR_MPI_THREADS_KEEP };

extern struct tsr_config tsr_config;

/* 0 in a build that only measures what the instruments cost while they are off (-DTESSERA_INSTRUMENTS=OFF, bench/instruments):
 * statistics, timelines, the checks of TESSERA_CHECK and the watchdog are never on there, and the compiler removes their hooks. */
#ifdef TSR_NO_INSTRUMENTS
enum { TSR_INSTRUMENTS = 0 };
#else
enum { TSR_INSTRUMENTS = 1 };
#endif

/* TESSERA_CHECK and TESSERA_WATCHDOG, for all that depends on them. */
static inline bool tsr_config_check(void) { return TSR_INSTRUMENTS && tsr_config.check; }
static inline int tsr_config_watchdog_s(void) { return TSR_INSTRUMENTS ? tsr_config.watchdog_s : 0; }

/* Reads the environment. A variable with a bad value keeps its default, and an unknown TESSERA_* name is ignored. If `report` is
 * set, each of them gives one warning with the remedy (allowed values; the nearest known name), except unknown names that begin
 * with TESSERA_UCX_, which UCX reads. May be called any number of times; the last call wins. */
void tsr_config_load(bool report);

/* Whether the environment has a value for the variable. */
bool tsr_config_is_set(const char *name);

/* A variable of an interface, under its traditional name: the index of its value among `words` ("one|two"), whose
 * case does not matter. -1: not set, or none of them, which gives a warning when `report` is set. */
int tsr_config_foreign(const char *name, const char *words, bool report);

/* The value of such a variable, whatever it is; NULL: not set. */
const char *tsr_config_foreign_text(const char *name);

/* Whether valgrind runs this process. */
bool tsr_config_under_valgrind(void);

/* Calls `row` for each variable, in the table's order; `value` and `standard` are printable. */
typedef void (*tsr_config_row)(const char *name, const char *value, const char *standard, const char *help, void *arg);
void tsr_config_each(tsr_config_row row, void *arg);

#endif
