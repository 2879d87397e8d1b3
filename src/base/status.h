/* Status codes inside the library. The function that detects an error logs it through tsr_fail; its callers only
 * pass the status on. */
#ifndef TSR_BASE_STATUS_H
#define TSR_BASE_STATUS_H

#include <tessera.h>

/* Of a function whose caller must look at the result: one that goes on after a failure has wrong data, or is no longer in step with
 * the other units. */
#define TSR_MUST_USE __attribute__((warn_unused_result))

/* Logs one error line (what went wrong, with which argument, and the remedy) and returns `status`. */
tessera_status_t tsr_fail(tessera_status_t status, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Remedies of many messages. */
#define TSR_REMEDY_MEMORY "free memory, or start fewer units on this node"
#define TSR_REMEDY_ONE_BUILD "all ranks must run the same build of Tessera, and no other code may use its communicators"

#endif
