/* ending ours|init|init_thread: a job that communicates a little and ends. The library starts and finalises MPI, or the program
 * does so itself. Unit 0 prints the thread level, and whether MPI_Finalize was MPI's own. ENDING_MPI replaces MPI's version
 * text, on other ranks than 0 of MPICH's launcher ENDING_MPI_OF_OTHERS. */
#include "spmd/dart_check.h"

#include <mpi.h>

static int deleted_n, barriers_n;

int MPI_Get_library_version(char *version, int *length) {
  const char *text = getenv("ENDING_MPI"), *of_others = getenv("ENDING_MPI_OF_OTHERS"), *rank = getenv("PMI_RANK");
  if (of_others && rank && strcmp(rank, "0") != 0) text = of_others;
  if (!text) return PMPI_Get_library_version(version, length);
  *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "%s", text);
  return MPI_SUCCESS;
}

/* MPI's own MPI_Finalize does not call the barrier by this name. */
int MPI_Barrier(MPI_Comm comm) {
  barriers_n++;
  return PMPI_Barrier(comm);
}

static int on_delete(MPI_Comm comm, int key, void *value, void *state) {
  (void)comm, (void)key, (void)value, (void)state;
  deleted_n++;
  return MPI_SUCCESS;
}

static void tie_to_self(void) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

static void talk(void) {
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, 1, DART_TYPE_INT);
  for (int i = 1; i < units_n; i++) {
    dart_unit_t other = (self + i) % units_n;
    OK(dart_put_blocking(at(base, other, 0), &i, 1, DART_TYPE_INT, DART_TYPE_INT));
  }
  barrier();
  OK(dart_team_memfree(base));
}

/* `provided`: the level that MPI_Init_thread returned; negative: none. */
static void check_level(int provided) {
  int level = -1, rank = -1;
  MPI_Query_thread(&level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (provided >= 0) CHECK_EQ(provided, level);
  if (rank == 0) printf("level: %s\n", level == MPI_THREAD_MULTIPLE ? "multiple" : "less");
}

static bool start_mpi(const char *how, int *argc, char ***argv) {
  int provided = -1;
  if (strcmp(how, "init") == 0) MPI_Init(argc, argv);
  else if (strcmp(how, "init_thread") == 0) MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
  else return false;
  check_level(provided);
  tie_to_self();
  return true;
}

static void finalize(void) {
  int over = -1, rank = -1;
  MPI_Finalized(&over);
  CHECK_EQ(over, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  barriers_n = 0;
  MPI_Finalize();
  if (rank == 0) printf("finalize: %s\n", barriers_n ? "replaced" : "own");
  MPI_Finalized(&over);
  CHECK(over != 0);
  CHECK_EQ(deleted_n, 1);
}

int main(int argc, char **argv) {
  bool own = start_mpi(argc > 1 ? argv[1] : "ours", &argc, &argv);
  start(&argc, &argv);
  talk();
  OK(dart_exit());
  if (own) finalize();
  return check_result();
}
