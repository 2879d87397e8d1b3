/* GASNet's tools in a program that is no part of any job, with threads. */
#include <pthread.h>
#include <signal.h>

#include <gasnet_tools.h>

#include "gasnet_tools_check.h"

#if !GASNETT_THREAD_SAFE
#error "a program that includes pthread.h has threads"
#endif

int main(void) {
  all_tools();
  return check_result();
}
