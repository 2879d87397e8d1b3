/* A program of GASNet that is told its thread mode and finds the library as GASNet's programs do. */
#if defined(GASNET_SEQ) + defined(GASNET_PAR) + defined(GASNET_PARSYNC) != 1
#error "the build says which thread mode it is"
#endif
#include <gasnet.h>

#include <math.h>
#include <stdio.h>

#ifdef CALLS_MPI
#include <mpi.h>
#endif

int main(int argc, char **argv) {
  if (gasnet_init(&argc, &argv) || gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0)) return 1;
  int conduit = 0, up = 1;
#if GASNET_CONDUIT_MPI
  conduit = 1;
#endif
#ifdef CALLS_MPI
  MPI_Initialized(&up);
#endif
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  const char *model = strstr(GASNET_CONFIG_STRING, "THREADMODEL=");
  if (gasnet_mynode() == 0)
    printf("size %d %.*s %d %s\n", (int)gasnet_nodes(), (int)strcspn(model, ","), model, conduit, up ? "up" : "down");
  errno = getpid() == INT_MAX; /* gasnet.h includes the headers of these three */
  gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 0, GASNET_BARRIERFLAG_ANONYMOUS); /* of gasnet_coll.h, which gasnet.h includes */
  gasnet_coll_barrier_wait(GASNET_TEAM_ALL, 0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(sqrt(argc) < 0); /* libm comes with GASNet's libraries */
  return 1;
}
