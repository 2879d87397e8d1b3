#include "base/caller.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/libc.h"
#include "base/source_line.h"

/* ---- Objects: the program and its libraries ---- */

static const void *base_of(const void *address) {
  Dl_info object;
  return dladdr(address, &object) ? object.dli_fbase : NULL;
}

static bool is_named_tessera(const Dl_info *object) {
  const char *slash = strrchr(object->dli_fname, '/');
  return strncmp(slash ? slash + 1 : object->dli_fname, "libtessera", 10) == 0;
}

static bool is_executable(const Dl_info *object) { return object->dli_fbase == base_of((const void *)getauxval(AT_PHDR)); }
static bool is_libc(const Dl_info *object) { return object->dli_fbase == base_of((const void *)(uintptr_t)getauxval); }

/* With the static libraries, the program and Tessera are one object: an address does not show to which of them a function
 * belongs. */
static bool is_shared_library(void) {
  Dl_info own;
  return dladdr((const void *)(uintptr_t)tsr_caller_describe, &own) && own.dli_fname && is_named_tessera(&own);
}

/* ---- The innermost function outside the library ---- */

static bool describe_address(const Dl_info *object, uintptr_t address, char *text, size_t bytes) {
  const char *path = is_executable(object) ? "/proc/self/exe" : object->dli_fname;
  enum tsr_source_answer answer = tsr_source_describe(path, object->dli_fname, object->dli_fbase, address, text, bytes);
  if (answer != TSR_SOURCE_UNAVAILABLE)
    return answer == TSR_SOURCE_LINE || (answer == TSR_SOURCE_FUNCTION && is_executable(object));
  if (!is_executable(object)) return false;
  const ElfW(Ehdr) *header = object->dli_fbase;
  uintptr_t in_file = header->e_type == ET_EXEC ? address : address - (uintptr_t)header;
  snprintf(text, bytes, "at %#jx of %s", (uintmax_t)in_file, object->dli_fname);
  return true;
}

/* The last call that was described: errors in a loop have the same call. */
static struct {
  uintptr_t address;
  char text[512];
} last;

static bool describe_call(const Dl_info *object, uintptr_t address, char *text, size_t bytes) {
  if (last.address != address) {
    last.address = 0;
    if (!describe_address(object, address, last.text, sizeof last.text)) return false;
    last.address = address;
  }
  snprintf(text, bytes, "%s", last.text);
  return true;
}

/* The search ends at the C library, which calls the program's main, the start functions of Tessera's threads, and exit handlers.
 * It passes over libraries without debug information, such as an MPI that calls back Tessera, and over what comes before
 * Tessera's first function: a sanitizer's replacement of backtrace. */
static bool search_stack(void *const calls[], int n, char *text, size_t bytes) {
  bool is_before = true;
  for (int i = 0; i < n; i++) {
    uintptr_t address = (uintptr_t)calls[i] - 1; /* in the call before this return address */
    Dl_info object;
    if (!dladdr((void *)address, &object) || !object.dli_fname || is_libc(&object)) return false;
    bool is_ours = is_named_tessera(&object);
    is_before &= !is_ours;
    if (!is_before && !is_ours && describe_call(&object, address, text, bytes)) return true;
  }
  return false;
}

static atomic_bool is_stopped;

void tsr_caller_stop(void) { atomic_store(&is_stopped, true); }

bool tsr_caller_describe(char *text, size_t bytes) {
  static atomic_flag is_searching = ATOMIC_FLAG_INIT; /* also by this thread, if an error occurs in the search */
  void *calls[TSR_LIBC_CALLS_MAX];
  if (atomic_load(&is_stopped) || !is_shared_library() || atomic_flag_test_and_set(&is_searching)) return false;
  bool is_known = search_stack(calls, tsr_libc_calls(calls), text, bytes);
  atomic_flag_clear(&is_searching);
  return is_known;
}
