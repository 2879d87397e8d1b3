/* Many units, with several threads each, change the same numbers at once.
 * Group: gasnet_all_threads
 */
#define GASNET_PAR 1
#include "gasnet_atomic_shared.h"

#include <pthread.h>

enum { THREADS = 4 };

static void *work(void *arg) {
  change_all(self * THREADS + (int)(intptr_t)arg);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  begin(&argc, &argv);
  for (int i = 0; i < THREADS; i++) CHECK_EQ(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i), 0);
  for (int i = 0; i < THREADS; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
  return end(THREADS);
}
