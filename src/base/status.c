#include "base/status.h"

#include <stdarg.h>

#include "base/log.h"

/* code, what it means, what to do about it. The switches below make the compiler name a code that has no row. */
#define STATUS_TABLE(ROW)                                                                                  \
  ROW(TESSERA_OK, "the call succeeded", "nothing is to be done")                                           \
  ROW(TESSERA_ERR_ARG, "an argument is null, negative, overflowing or contradicts another",                \
      "correct the argument that the log line names and call again")                                       \
  ROW(TESSERA_ERR_RANGE, "an address or unit number lies outside of what it refers to",                    \
      "compare offset and size with the allocation, or the unit number with the size of the team")         \
  ROW(TESSERA_ERR_NOT_FOUND, "a team, segment or handle is unknown, freed or stale",                       \
      "use it only between its creation and its destruction")                                              \
  ROW(TESSERA_ERR_STATE, "the call came before initialisation, after exit, or out of order",               \
      "initialise an interface first, on every unit, and end it last")                                           \
  ROW(TESSERA_ERR_UNSUPPORTED, "the interface excludes this combination",                                  \
      "choose a combination that the documentation of the call lists")                                     \
  ROW(TESSERA_ERR_MEMORY, "the memory of the node, of its control group, or of a unit's heap is used up",  \
      "free memory, run fewer units per node, or raise TESSERA_HEAP_LIMIT or TESSERA_HEAP_SIZE where set") \
  ROW(TESSERA_ERR_LIMIT, "no identifier or other counted resource is left",                                \
      "destroy teams, segments or handles that are no longer used; tessera-info prints the limits")        \
  ROW(TESSERA_ERR_AGAIN, "there is no room at this moment", "make progress, then call again")              \
  ROW(TESSERA_ERR_SYSTEM, "the operating system refused something that Tessera needs",                     \
      "see the log line for the system call and its reason")                                               \
  ROW(TESSERA_ERR_NET, "MPI or UCX reported an error", "see the log line for the reason; the job cannot go on") \
  ROW(TESSERA_ERR_PEER, "another unit failed in a collective call, or died",                               \
      "see the log line of that unit")

const char *tessera_version(void) { return TESSERA_VERSION_STRING; }

const char *tessera_status_name(tessera_status_t status) {
#define NAME(code, text, remedy) case code: return #code;
  switch (status) { STATUS_TABLE(NAME) }
  return "not a status of Tessera";
}

const char *tessera_status_text(tessera_status_t status) {
#define TEXT(code, text, remedy) case code: return text;
  switch (status) { STATUS_TABLE(TEXT) }
  return "the number is not a status of this version of Tessera";
}

const char *tessera_status_remedy(tessera_status_t status) {
#define REMEDY(code, text, remedy) case code: return remedy;
  switch (status) { STATUS_TABLE(REMEDY) }
  return "pass a value that a call of Tessera returned; compare tessera_version with the header's version";
}

tessera_status_t tsr_fail(tessera_status_t status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tsr_log_write_list(TSR_LOG_ERROR, format, args);
  va_end(args);
  return status;
}
