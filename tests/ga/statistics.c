/* Global Arrays counts its own calls and prints them. What each call does below is in the library's statistics. */
#include <unistd.h>

#include "ga_check.h"

enum { ROWS_N = 64 };

static void use_rows(const struct array *a) {
  double row[ROWS_N] = {0}, one = 1;
  for (int i = 0; i < ROWS_N; i++) {
    int lo[] = {i, 0}, hi[] = {i, ROWS_N - 1}, ld[] = {ROWS_N};
    NGA_Get(a->ga, lo, hi, row, ld);
    NGA_Put(a->ga, lo, hi, row, ld);
    if (i % 2) NGA_Acc(a->ga, lo, hi, row, ld, &one);
  }
  GA_Sync();
}

/* Global Arrays prints to standard output; it goes to a file meanwhile. */
static void read_statistics(char *text, size_t bytes) {
  FILE *file = tmpfile();
  int before = dup(STDOUT_FILENO);
  if (!file || before < 0) abort();
  fflush(stdout);
  dup2(fileno(file), STDOUT_FILENO);
  GA_Print_stats();
  fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  rewind(file);
  text[fread(text, 1, bytes - 1, file)] = '\0';
  fclose(file);
}

int main(int argc, char **argv) {
  char text[4096];
  int created = 0, destroyed = -1, gets = 0, puts = 0, accumulates = 0;
  start(&argc, &argv, MA_DOUBLES);
  struct array a = make(type_double, 2, (const int[]){ROWS_N, ROWS_N});
  use_rows(&a);
  read_statistics(text, sizeof text);
  const char *calls = strstr(text, "calls:");
  CHECK(calls && sscanf(calls, "calls: %d %d %d %d %d", &created, &destroyed, &gets, &puts, &accumulates) == 5);
  CHECK_EQ(created, 1);
  CHECK_EQ(destroyed, 0);
  CHECK_EQ(gets, ROWS_N);
  CHECK_EQ(puts, ROWS_N);
  CHECK_EQ(accumulates, ROWS_N / 2);
  drop(&a);
  return finish();
}
