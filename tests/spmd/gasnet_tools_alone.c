/* GASNet's tools in a program outside any job, with threads. */
#include <pthread.h>
#include <signal.h>

#include <gasnet_tools.h>

#include "gasnet_tools_check.h"

#if !GASNETT_THREAD_SAFE
#error "a program that includes pthread.h has threads"
#endif
#if GASNET_RELEASE_VERSION_MAJOR < 2000 || GASNET_RELEASE_VERSION_MAJOR != GASNETT_RELEASE_VERSION_MAJOR || GASNET_DEBUG
#error "the tools say what they are a part of"
#endif
GASNETT_IDENT(version_text, "version " _STRINGIFY(GASNET_RELEASE_VERSION_MAJOR) "." _STRINGIFY(GASNET_RELEASE_VERSION_MINOR));

int main(void) {
  all_tools();
  CHECK_EQ(gasnett_release_version() / 1000000, GASNET_RELEASE_VERSION_MAJOR);
  CHECK(strncmp(gasnett_release_version_str(), version_text + 8, strlen(version_text + 8)) == 0);
  CHECK(version_text[8] == '2' && version_text[12] == '.');
  return check_result();
}
