/* random_access: updates of single words all over the memory of the job, after the rules of HPCC's RandomAccess.
 *
 * A table of 2^bits words, word i being i at first, is spread over the PEs. Together they perform `updates` updates per
 * word (HPCC: 4): the next number r of a sequence is xored to the word that its upper bits name. The sequence is that
 * of the powers of x modulo the polynomial x^64 + x^2 + x + 1 over GF(2), and each PE takes an equal part of it. Its
 * first numbers (2, 4, 8, ...) name the same word again and again, and are left out.
 *
 * With --atomic 1 each update is an atomic xor. With --atomic 0 (the default) it is a get and a put, --ahead of them at
 * once (HPCC: at most 1024); two PEs that change a word at the same time lose an update, which the rules allow for 1 %
 * of the words. Checked: each PE goes through the whole sequence and repeats the updates of its own words. */
#include "bench.h"

enum { AHEAD_MAX = 1024 };
static const unsigned long left_out = 0x5be0cd19137e2179; /* numbers */

static int me, pes;
static long bits = 20, updates = 4, ahead = 64, atomic;

/* PE p owns the words from first[p] up to first[p + 1] - 1; table[0] of a PE is its first word. */
static unsigned long *table; /* symmetric */
static unsigned long *first;

/* Multiplies by x. */
static unsigned long next(unsigned long r) { return r << 1 ^ ((long)r < 0 ? 7 : 0); }

static unsigned long product(unsigned long a, unsigned long b) {
  unsigned long r = 0;
  for (int bit = 63; bit >= 0; bit--) r = next(r) ^ (b >> bit & 1 ? a : 0);
  return r;
}

/* x^n */
static unsigned long power(unsigned long n) {
  unsigned long r = 1;
  for (unsigned long square = 2; n; n >>= 1, square = product(square, square)) {
    if (n & 1) r = product(r, square);
  }
  return r;
}

static unsigned long index_of(unsigned long r) { return r >> (64 - bits); }
static int owner_of(unsigned long index) { return (int)(index * (unsigned long)pes >> bits); }

static void fill(void) {
  const unsigned long n = (unsigned long)pes;
  first = private_memory(n + 1, sizeof *first);
  for (unsigned long p = 0; p <= n; p++) first[p] = ((p << bits) + n - 1) / n;
  table = symmetric_memory((1UL << bits) / n + 1, sizeof *table);
  for (unsigned long i = first[me]; i < first[me + 1]; i++) table[i - first[me]] = i;
}

static void update_atomic(unsigned long r, long n) {
  for (long i = 0; i < n; i++) {
    r = next(r);
    const int owner = owner_of(index_of(r));
    shmem_ulong_atomic_xor(&table[index_of(r) - first[owner]], r, owner);
  }
}

/* `n` updates at once. Returns the last number of the sequence. */
static unsigned long update_batch(unsigned long r, long n) {
  unsigned long numbers[AHEAD_MAX], words[AHEAD_MAX];
  for (long i = 0; i < n; i++) {
    numbers[i] = r = next(r);
    const int owner = owner_of(index_of(r));
    shmem_ulong_get_nbi(&words[i], &table[index_of(r) - first[owner]], 1, owner);
  }
  shmem_quiet(); /* the words have come */
  for (long i = 0; i < n; i++) {
    const int owner = owner_of(index_of(numbers[i]));
    shmem_ulong_p(&table[index_of(numbers[i]) - first[owner]], words[i] ^ numbers[i], owner);
  }
  shmem_quiet(); /* so that the next gets see what was put */
  return r;
}

static void update(unsigned long r, long n) {
  if (atomic) {
    update_atomic(r, n);
  } else {
    for (; n > 0; n -= ahead) r = update_batch(r, n < ahead ? n : ahead);
  }
}

/* Own words that differ from what all updates, one after the other, make of them. */
static long wrong_words(long total) {
  const unsigned long n = first[me + 1] - first[me];
  long wrong_n = 0;
  unsigned long r = power(left_out);
  for (long i = 0; i < total; i++) {
    r = next(r);
    const unsigned long at = index_of(r) - first[me];
    if (at < n) table[at] ^= r;
  }
  for (unsigned long i = 0; i < n; i++) wrong_n += table[i] != first[me] + i;
  return wrong_n;
}

int main(int argc, char **argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  const struct option options[] = {{"bits", 10, 40, &bits},
                                   {"updates", 1, 1000, &updates},
                                   {"ahead", 1, AHEAD_MAX, &ahead},
                                   {"atomic", 0, 1, &atomic}};
  if (!read_options("random_access", argc, argv, 4, options)) {
    shmem_finalize();
    return WRONG_ARGUMENTS;
  }
  fill();
  const long total = updates << bits, begin = total / pes * me, end = me + 1 < pes ? total / pes * (me + 1) : total;
  shmem_barrier_all();
  const double since = now();
  update(power(left_out + (unsigned long)begin), end - begin);
  shmem_barrier_all();
  const double seconds = now() - since;

  static long mine, all;
  mine = wrong_words(total);
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  const long allowed = atomic ? 0 : (1L << bits) / 100;
  const char *name = atomic ? "random_access-atomic" : "random_access";
  const int status = report(name, seconds, 1e-9 * (double)total, "Gupdate", all > allowed ? mine : 0);
  shmem_free(table);
  free(first);
  shmem_finalize();
  return status;
}
