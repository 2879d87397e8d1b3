/* The message about memory of another unit that the kernel cannot copy; see support/golden.h. */
#include "node/attach.h"

#include <sys/mman.h>
#include <unistd.h>

#include "support/golden.h"

static bool start(int *argc, char ***argv) { return tessera_init(argc, argv) == TESSERA_OK; }
static void end(void) { tessera_exit(); }
static int unit(void) { return tessera_unit(); }
static void barrier(void) {}

/* No process has this page. */
static bool copy_from_nowhere(void) {
  static char here[8];
  void *nowhere = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct tsr_attach_side ours = tsr_attach_one(here, sizeof here), theirs = tsr_attach_one(nowhere, sizeof here);
  return tsr_attach_copy(0, TSR_ATTACH_GET, &ours, &theirs) != TESSERA_OK;
}

static const struct golden_case cases[] = {{"0102", copy_from_nowhere, 0}};

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof cases[0], start, end, unit, barrier});
}
