/* Linked into every program of the asan build. Modules that MPI has unloaded before exit would have no names in the
 * leak report, and their leaks could not be told from ours (tests/lsan.supp goes by module). */
int dlclose(void *module);

int dlclose(void *module) {
  (void)module;
  return 0;
}
