/* Messages about variables and about the memory of a node, a case for each; see support/golden.h. */
#include "support/no_memory.h"

#include <dash/dart/if/dart.h>
#include <fcntl.h>
#include <stdarg.h>

#include "core/segment.h"
#include "node/attach.h"
#include "support/golden.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static bool start(int *argc, char ***argv) { return tessera_init(argc, argv) == TESSERA_OK; }
static void end(void) { tessera_exit(); }
static int unit(void) { return tessera_unit(); }
static void barrier(void) {}

/* ---- variables ---- */

static bool set_wrongly(void) {
  setenv("DART_LOG_LEVEL", "loud", 1);
  return !dart_init(NULL, NULL) && !dart_exit();
}

/* The configuration is read twice, and reports at the second time only. */
static bool keep_text(void) {
  no_memory_once(1);
  return true;
}

static bool draw_timeline(void) { return true; }

/* ---- the memory of a node ---- */

/* Of the library's calls one fails, as for lack of memory, or under a container's filter. */
static bool has_pages = true, has_seals = true;

#if NO_MEMORY_FAILS
int madvise(void *at, size_t bytes, int advice) {
  static int (*own)(void *, size_t, int);
  if (!own) *(void **)&own = dlsym(RTLD_NEXT, "madvise");
  if (has_pages || advice != MADV_POPULATE_WRITE) return own(at, bytes, advice);
  errno = ENOMEM;
  return -1;
}

int fcntl(int file, int command, ...) {
  static int (*own)(int, int, ...);
  va_list list;
  va_start(list, command);
  void *given = va_arg(list, void *);
  va_end(list);
  if (!own) *(void **)&own = dlsym(RTLD_NEXT, "fcntl");
  if (has_seals || command != F_ADD_SEALS) return own(file, command, given);
  errno = EPERM;
  return -1;
}
#endif

static bool start_without_seals(void) {
  has_seals = false;
  tessera_init(NULL, NULL);
  has_seals = true;
  return true;
}

static bool allocate_without_pages(void) {
  uint64_t off;
  has_pages = false;
  tessera_status_t status = tsr_segment_local_alloc(TSR_API_NATIVE, 5 << 20, &off);
  has_pages = true;
  return status == TESSERA_ERR_MEMORY;
}

static bool repeat(tessera_status_t (*part)(void)) {
  no_memory_once(0);
  return part() == TESSERA_ERR_MEMORY;
}
static bool start_attach(void) { return repeat(tsr_attach_start); }
static bool make_allocator(void) { return repeat(tsr_heap_reset); }

static const struct golden_case cases[] = {
    {"0001", keep_text, GOLDEN_OWN | GOLDEN_EARLY},
    {"0005", set_wrongly, GOLDEN_EARLY},
    {"0006", draw_timeline, GOLDEN_OWN | GOLDEN_EARLY},
    {"0100", start_attach, GOLDEN_OWN},
    {"0105", start_without_seals, GOLDEN_OWN | GOLDEN_EARLY},
    {"0106", make_allocator, GOLDEN_OWN},
    {"0108", allocate_without_pages, GOLDEN_OWN},
};

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start, end, unit, barrier});
}
