/* Lines of the program's source, from debug information. libdw reads it, and is opened when it is first needed. */
#ifndef TSR_BASE_SOURCE_LINE_H
#define TSR_BASE_SOURCE_LINE_H

#include <stddef.h>
#include <stdint.h>

enum tsr_source_answer {
  TSR_SOURCE_UNAVAILABLE, /* no libdw, or the file cannot be read */
  TSR_SOURCE_UNKNOWN,     /* stripped, or a function of the interfaces' headers */
  TSR_SOURCE_FUNCTION,    /* the text is "in FUNCTION of NAME" */
  TSR_SOURCE_LINE         /* the text is "at FILE:LINE in FUNCTION" */
};

/* Describes an address of the program or a library: the file at `path`, which messages call `name`, mapped at `base`. An inlined
 * function of the interfaces' headers counts as its caller. One thread at a time. */
enum tsr_source_answer tsr_source_describe(const char *path, const char *name, const void *base, uintptr_t address, char *text,
                                           size_t bytes);

#endif
