/* A false root directory: made for each test, and removed with its content. */
#ifndef TSR_TESTS_UNIT_FALSE_ROOT_H
#define TSR_TESTS_UNIT_FALSE_ROOT_H

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

static char root[] = "/tmp/tessera_test.XXXXXX";

static inline int make_root(void **state) {
  (void)state;
  memcpy(root + sizeof root - 7, "XXXXXX", 6);
  return mkdtemp(root) ? 0 : -1;
}

static inline int remove_entry(const char *path, const struct stat *info, int type, struct FTW *ftw) {
  (void)info, (void)type, (void)ftw;
  return remove(path);
}

static inline int drop_root(void **state) {
  (void)state;
  return nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file below it, and makes its directories. */
static inline void put_file(const char *path, const char *text) {
  char full[2 * PATH_MAX];
  snprintf(full, sizeof full, "%s%s", root, path);
  for (char *slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(full, 0700)) assert_int_equal(errno, EEXIST);
    *slash = '/';
  }
  FILE *file = fopen(full, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

#endif
