/* Messages of MPI's windows over the heaps, a case for each: MPI makes none, or private memory is used up; see support/golden.h. */
#include "support/no_memory.h"

#include <mpi.h>

#include "net/net.h"
#include "support/golden.h"

static bool start(int *argc, char ***argv) { return tessera_init(argc, argv) == TESSERA_OK; }
static void end(void) { tessera_exit(); }
static int unit(void) { return tessera_unit(); }
static void barrier(void) {}

/* ---- the start ---- */

static bool has_window = true, has_targets = true;

int MPI_Win_create(void *memory, MPI_Aint bytes, int each, MPI_Info info, MPI_Comm comm, MPI_Win *window) {
  return has_window ? PMPI_Win_create(memory, bytes, each, info, comm, window) : MPI_ERR_WIN;
}

/* The transport calls it before it makes the table. */
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler) {
  if (!has_targets) no_memory_once(0);
  return PMPI_Comm_get_errhandler(comm, handler);
}

static bool start_without_window(void) {
  has_window = false;
  tessera_status_t status = tessera_init(NULL, NULL);
  has_window = true;
  return status != TESSERA_OK;
}

static bool start_without_targets(void) {
  has_targets = false;
  tessera_init(NULL, NULL);
  return false;
}

/* ---- transfers ---- */

static bool transfer(bool is_put, int after) {
  static char here[8];
  const struct tsr_net_piece piece = {.unit = 1, .local_addr = here, .bytes = sizeof here};
  no_memory_after(after);
  tessera_status_t status = is_put ? tsr_net->put(&piece) : tsr_net->get(&piece);
  no_memory_end();
  return status == TESSERA_ERR_MEMORY;
}
static bool put_without_target(void) { return transfer(true, 1); }
static bool put_without_piece(void) { return transfer(true, 0); }
static bool get_without_piece(void) { return transfer(false, 0); }

static const struct golden_case cases[] = {
    {"0226", start_without_window, GOLDEN_OWN | GOLDEN_EARLY},
    {"0228", start_without_targets, GOLDEN_OWN | GOLDEN_EARLY},
    {"0229", put_without_target, GOLDEN_OWN},
    {"0230", put_without_piece, GOLDEN_OWN},
    {"0231", get_without_piece, GOLDEN_OWN},
};

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start, end, unit, barrier});
}
