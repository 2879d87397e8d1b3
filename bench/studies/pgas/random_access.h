/* RandomAccess: operations on single words all over the memory of a job. What the versions share: the numbers, the table, the
 * buckets, the time and the checks. A version has the communication only.
 *
 * A table of 2^bits words, word i being i at first, is cut into a block for each unit. The units go through a sequence of
 * pseudo-random numbers together, each through its own part of it; the lowest bits of a number r choose a word. Patterns:
 *
 *   read     gets the word
 *   write    puts ~r to the word
 *   atomic   xors r to the word by one atomic operation
 *   hpcc     xors r to the word in any way that the rules of HPCC's RandomAccess allow: a unit may look ahead and hold up to 1024
 *            numbers before it applies them, and up to 1 % of the words may be wrong in the end, because updates of two units
 *            may meet. HPCC makes four updates for each word. In a table of less than 2^18 words more of them may meet.
 *
 * In the other patterns a unit has up to 1024 operations under way, too. */
#ifndef STUDIES_RANDOM_ACCESS_H
#define STUDIES_RANDOM_ACCESS_H

#include <stddef.h>
#include <stdint.h>

enum { AHEAD = 1024 };

/* ---- the sequence ---- */

/* The powers of x modulo a polynomial over GF(2), in HPCC's representation: the bits of a word are coefficients, and
 * x^64 = x^2 + x + 1. The sequence repeats after RANDOM_PERIOD numbers. */
#define RANDOM_PERIOD UINT64_C(1317624576693539401) /* (2^63 - 1) / 7 */

static inline uint64_t random_next(uint64_t r) { return r << 1 ^ (r >> 63 ? 7 : 0); }

/* Number n of the sequence; number 0 is 1. It takes the time of some squarings, whatever n is. */
uint64_t random_start(uint64_t n);

/* ---- the table ---- */

typedef struct {
  int unit, units, bits;
  uint64_t words;       /* of all units, 2^bits */
  uint64_t *first;      /* first word of each unit, and `words` */
  uint64_t *mine;       /* the caller's words, from first[unit] on */
  uint64_t operations;  /* of all units together */
} table;

static inline uint64_t word_of(const table *t, uint64_t number) { return number & (t->words - 1); }
static inline int owner_of(const table *t, uint64_t word) { return (int)(word * (uint64_t)t->units >> t->bits); }
static inline uint64_t words_of(const table *t, int unit) { return t->first[unit + 1] - t->first[unit]; }

/* A part of the sequence: the n numbers after `before`. */
typedef struct {
  uint64_t before, n;
} part;

/* Changes a word of this node without an atomic operation: if two units change it at once, one change may be lost. */
static inline void change_word(uint64_t *word, uint64_t number) {
  __atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) ^ number, __ATOMIC_RELAXED);
}

/* Changes that wait until the processor has fetched their words: the rules allow to look ahead. */
enum { FETCHED = 32 };
typedef struct {
  uint64_t *words[FETCHED]; /* NULL: a free place */
  uint64_t numbers[FETCHED];
  unsigned n; /* changes so far */
} changes;

static inline void change_soon(changes *c, uint64_t *word, uint64_t number) {
  const unsigned at = c->n++ % FETCHED;
  if (c->words[at]) change_word(c->words[at], c->numbers[at]);
  c->words[at] = word;
  c->numbers[at] = number;
  __builtin_prefetch(word, 1);
}

static inline void change_rest(changes *c) {
  for (unsigned at = 0; at < FETCHED; at++)
    if (c->words[at]) change_word(c->words[at], c->numbers[at]);
  *c = (changes){0};
}

/* ---- buckets: numbers on their way to other units ---- */

/* At most AHEAD numbers in all, sorted by the owners of their words. */
typedef struct {
  int units, held;
  int *n;            /* in the bucket of each unit */
  uint64_t *numbers; /* AHEAD for each unit */
} buckets;

buckets buckets_make(int units);
void buckets_free(buckets *b);

static inline uint64_t *bucket_of(const buckets *b, int unit) { return b->numbers + (size_t)unit * AHEAD; }

static inline void bucket_add(buckets *b, int unit, uint64_t number) {
  bucket_of(b, unit)[b->n[unit]++] = number;
  b->held++;
}

static inline void bucket_clear(buckets *b, int unit) {
  b->held -= b->n[unit];
  b->n[unit] = 0;
}

/* The unit with the most numbers. */
int buckets_fullest(const buckets *b);

/* ---- a version ---- */

/* The patterns are called by all units at once, each with its part. On return all operations of the caller are complete; a
 * barrier follows. */
typedef struct {
  int unit, units;
  void (*open)(table *t); /* makes memory for the words, sets t->mine; collective, as the next three are */
  void (*close)(table *t);
  void (*barrier)(void);
  long (*sum)(long mine);
  long (*read)(const table *t, part p); /* returns how many words had a wrong value */
  void (*write)(const table *t, part p);
  void (*atomic)(const table *t, part p);
  void (*hpcc)(const table *t, part p);
} version;

/* Reads the options, measures, prints the rows. Returns the program's exit code, the same on all units. */
int random_access(int argc, char **argv, const version *v);

/* Private memory of zeros; ends the process if there is none. */
void *zeros(size_t n, size_t bytes);

#endif
