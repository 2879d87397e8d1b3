/* The transposition of a large array of Global Arrays, back and forth, with a check of every element. With a Global
 * Arrays over MPI's one-sided calls the result is wrong. */
#include "../ga/ga_check.h"

enum { SIDE = 6400, ROUNDS = 5 };

static int value_at(int i, int j, int round) { return i * SIDE + j + round; }

/* Sets this process's part of the array or of its transpose, or counts the wrong elements. */
static size_t own_part(int ga, int round, bool set, bool turned) {
  int lo[2], hi[2], ld[1], *part;
  size_t wrong = 0;
  NGA_Distribution(ga, self, lo, hi);
  NGA_Access(ga, lo, hi, &part, ld);
  for (int i = lo[0]; i <= hi[0]; i++)
    for (int j = lo[1]; j <= hi[1]; j++) {
      int *element = part + (size_t)(i - lo[0]) * (size_t)ld[0] + (j - lo[1]);
      int value = turned ? value_at(j, i, round) : value_at(i, j, round);
      wrong += *element != value;
      if (set) *element = value;
    }
  NGA_Release_update(ga, lo, hi);
  return set ? 0 : wrong;
}

/* Returns the seconds between two barriers. */
static double transpose(int from, int to) {
  GA_Sync();
  double begun = GA_Wtime();
  GA_Transpose(from, to);
  GA_Sync();
  return GA_Wtime() - begun;
}

int main(int argc, char **argv) {
  start(&argc, &argv, SIDE * SIDE / 2 + MA_DOUBLES);
  int dims[2] = {SIDE, SIDE}, a = NGA_Create(C_INT, 2, dims, "a", NULL), b = NGA_Create(C_INT, 2, dims, "b", NULL);
  double seconds = 0;
  for (int round = 0; round < ROUNDS; round++) {
    own_part(a, round, true, false);
    seconds += transpose(a, b);
    CHECK_EQ(own_part(b, round, false, true), 0);
    GA_Zero(a);
    seconds += transpose(b, a);
    CHECK_EQ(own_part(a, round, false, false), 0);
    GA_Sync();
  }
  GA_Destroy(a);
  GA_Destroy(b);
  if (self == 0) printf("%d transpositions of %d x %d ints: %.3f s each\n", 2 * ROUNDS, SIDE, SIDE, seconds / (2 * ROUNDS));
  return finish();
}
