/* What the files of tessera-info share: each option is a function that returns the exit code. */
#ifndef TESSERA_INFO_H
#define TESSERA_INFO_H

#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

enum { INFO_WORDS_MAX = 3 };
extern const char *info_words[INFO_WORDS_MAX]; /* what follows the option; NULL: nothing */

/* Reads a whole number of at least `least`; -1: the text is not such a number. */
int32_t info_number(const char *text, int32_t least);

int info_version(void), info_all(void), info_json(void), info_man(void), info_names(void);
int info_memory(void), info_explain(void), info_check(void), info_topology(void);

/* The path of a transfer between two units; see info_words. */
int info_path(void);

/* The first line of MPI's version text, which is available before MPI is started. */
const char *info_mpi_version(void);

/* Starts the runtime; ends the tool with a message if that fails. */
void info_start(void);
/* Ends the runtime, and returns the exit code. */
int info_end(void);
/* Ends the tool if the call failed. */
void info_require(const char *call, tessera_status_t status);

#endif
