/* A program that started MPI for one thread, and calls DART from several. In a thread in which MPI must not be called
 * DART makes no communicator: the call fails on all units, and the program continues. */
#include "dart_says.h"

#include <dash/dart/if/dart_mpi.h>
#include <pthread.h>

struct call {
  dart_team_t team;
  MPI_Comm comm;
  dart_ret_t result;
};

static void *ask(void *arg) {
  struct call *call = arg;
  call->result = dart_team_comm(call->team, &call->comm);
  return NULL;
}

static dart_ret_t ask_in_a_thread(struct call *call) {
  pthread_t thread;
  call->comm = MPI_COMM_NULL;
  CHECK_EQ(pthread_create(&thread, NULL, ask, call), 0);
  pthread_join(thread, NULL);
  return call->result;
}

static void refused_where_mpi_may_not_be_called(struct call *call) {
  SAYS("MPI_Init_thread", DART_ERR_INVAL, ask_in_a_thread(call));
  CHECK(call->comm == MPI_COMM_NULL);
}

/* One unit's thread is enough. */
static void refused_on_one_unit(struct call *call) {
  if (self == 0) ask_in_a_thread(call);
  else ask(call);
  CHECK_EQ(call->result, self == 0 ? DART_ERR_INVAL : DART_ERR_OTHER);
  CHECK(call->comm == MPI_COMM_NULL);
}

static void made_by_the_main_thread(struct call *call) {
  MPI_Comm first = MPI_COMM_NULL;
  int sum = 0;
  OK(dart_team_comm(call->team, &first));
  MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, first);
  CHECK_EQ(sum, units_n);
  OK(ask_in_a_thread(call));
  CHECK(call->comm == first);
  call->team = DART_TEAM_ALL;
  OK(ask_in_a_thread(call));
  CHECK(call->comm == dart_get_user_commworld());
}

static void *destroy(void *team) {
  OK(dart_team_destroy(team));
  return NULL;
}

int main(int argc, char **argv) {
  dart_thread_support_level_t provided = DART_THREAD_SINGLE;
  int level = MPI_THREAD_SINGLE;
  MPI_Init(&argc, &argv);
  MPI_Query_thread(&level);
  if (!open_ears()) return 77;
  start(&argc, &argv);
  OK(dart_exit());
  OK(dart_init_thread(&argc, &argv, &provided));
  bool can_be_shown = provided == DART_THREAD_MULTIPLE && level < MPI_THREAD_SERIALIZED;
  if (can_be_shown) {
    dart_team_t team = team_of(~0u);
    struct call call = {.team = team};
    pthread_t thread;
    refused_where_mpi_may_not_be_called(&call);
    refused_on_one_unit(&call);
    made_by_the_main_thread(&call);
    CHECK_EQ(pthread_create(&thread, NULL, destroy, &team), 0);
    pthread_join(thread, NULL);
  }
  int result = finish();
  MPI_Finalize();
  return can_be_shown ? result : 77;
}
