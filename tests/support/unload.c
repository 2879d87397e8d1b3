/* unload LIBRARY START END: a program that is not linked with Tessera loads a library of an interface, calls its start and its end,
 * unloads it, and ends. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    fprintf(stderr, "unload: %s\n", dlerror());
    return 2;
  }
  /* Those with arguments accept NULL. */
  int (*start)(int *, char ***) = (int (*)(int *, char ***))(uintptr_t)dlsym(library, argv[2]);
  int (*end)(void) = (int (*)(void))(uintptr_t)dlsym(library, argv[3]);
  if (!start || !end) return 2;
  start(NULL, NULL);
  end();
  dlclose(library);
  puts("unloaded");
  return EXIT_SUCCESS;
}
