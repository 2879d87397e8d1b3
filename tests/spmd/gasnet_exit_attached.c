/* A program for several threads that ends by gasnet_exit in every process, while another of its threads waits for ever. */
#define GASNET_PAR 1
#include <gasnetex.h>

#include <pthread.h>
#include <unistd.h>

#include "check.h"

static volatile int never;

static void *wait_for_ever(void *arg) {
  GASNET_BLOCKUNTIL(never);
  return arg;
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t all;
  gex_Segment_t segment;
  pthread_t waiter;
  if (gex_Client_Init(&client, &ep, &all, "EXIT", &argc, &argv, 0)) return EXIT_FAILURE;
  CHECK_EQ(gex_Segment_Attach(&segment, all, 1 << 20), GASNET_OK);
  CHECK_EQ(pthread_create(&waiter, NULL, wait_for_ever, NULL), 0);
  usleep(20000);
  CHECK_EQ(gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED), GASNET_OK);
  gasnet_exit(check_result());
}
