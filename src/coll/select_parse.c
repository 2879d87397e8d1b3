/* Rows of a table as text: KIND WHERE MEMBERS BYTES ALGORITHM. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "coll/select.h"

enum { WORDS_N = 5, WORD_BYTES = 32 };
typedef char word[WORD_BYTES];

static const char *const kinds[] = {[TSR_COLL_BARRIER] = "barrier",     [TSR_COLL_BCAST] = "bcast",
                                    [TSR_COLL_SCATTER] = "scatter",     [TSR_COLL_GATHER] = "gather",
                                    [TSR_COLL_ALLGATHER] = "allgather", [TSR_COLL_REDUCE] = "reduce",
                                    [TSR_COLL_ALLREDUCE] = "allreduce", [TSR_COLL_REDUCE_SCATTER] = "reduce_scatter"};
static const char *const places[] = {"", "node", "nodes", "any", "leaders"}; /* by enum tsr_where */
enum { PLACES_N = sizeof places / sizeof *places };
static const char *const algorithms[] = {
    [TSR_BY_TREE] = "tree", [TSR_BY_DOUBLING] = "doubling", [TSR_BY_DIRECT] = "direct", [TSR_BY_RING] = "ring",
    [TSR_BY_HALVING] = "halving", [TSR_BY_NODES] = "nodes"};
enum { ALGORITHMS_N = sizeof algorithms / sizeof *algorithms };

/* The algorithms of each kind, for all groups. is_known adds TSR_BY_NODES. */
#define CAN(algorithm) (1u << TSR_BY_##algorithm)
static const unsigned known[] = {[TSR_COLL_BARRIER] = CAN(TREE) | CAN(DOUBLING),
                                 [TSR_COLL_BCAST] = CAN(TREE) | CAN(DIRECT) | CAN(RING) | CAN(HALVING),
                                 [TSR_COLL_SCATTER] = CAN(TREE) | CAN(DIRECT),
                                 [TSR_COLL_GATHER] = CAN(TREE) | CAN(DIRECT),
                                 [TSR_COLL_ALLGATHER] = CAN(DOUBLING) | CAN(DIRECT) | CAN(RING),
                                 [TSR_COLL_REDUCE] = CAN(TREE) | CAN(DIRECT) | CAN(RING) | CAN(HALVING),
                                 [TSR_COLL_ALLREDUCE] = CAN(TREE) | CAN(DOUBLING) | CAN(DIRECT) | CAN(RING) | CAN(HALVING),
                                 [TSR_COLL_REDUCE_SCATTER] = CAN(DIRECT) | CAN(RING)};

static bool is_known(enum tsr_coll_kind kind, enum tsr_where where, enum tsr_algorithm algorithm) {
  return algorithm == TSR_BY_NODES ? where == TSR_NODES : known[kind] >> algorithm & 1;
}

static int find_word(const char *text, const char *const names[], int n) {
  for (int i = 0; i < n; i++) {
    if (strcmp(text, names[i]) == 0) return i;
  }
  return -1;
}

/* Returns a number >= 1, or `most` for "any"; 0: the text is neither. */
static size_t read_number(const char *text, size_t most) {
  if (strcmp(text, "any") == 0) return most;
  char *end = NULL;
  errno = 0;
  unsigned long long n = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
  return end && !*end && !errno && n <= most ? (size_t)n : 0;
}

static bool combines_out_of_order(enum tsr_algorithm algorithm) {
  return algorithm == TSR_BY_RING || algorithm == TSR_BY_HALVING || algorithm == TSR_BY_NODES;
}

/* Returns what is wrong with the row; NULL: nothing. */
static const char *read_row(word words[], struct tsr_select_row *row) {
  int kind = find_word(words[0], kinds, TSR_COLL_KINDS_N), where = find_word(words[1], places, PLACES_N);
  int algorithm = find_word(words[4], algorithms, ALGORITHMS_N);
  if (kind < 0) return "the first word is not a collective: write barrier, bcast, scatter, gather, allgather, reduce, allreduce or "
                       "reduce_scatter";
  if (where < TSR_ONE_NODE) return "the second word is not a place: write node, nodes, any or leaders";
  if (algorithm < 0) return "the last word is not an algorithm: write tree, doubling, direct, ring, halving or nodes";
  if (!is_known((enum tsr_coll_kind)kind, (enum tsr_where)where, (enum tsr_algorithm)algorithm))
    return "the collective has no such algorithm at this place";
  size_t members = read_number(words[2], TSR_ANY_TEAM), bytes = read_number(words[3], TSR_ANY_SIZE);
  if (!members || !bytes) return "members and bytes must each be a number of at least 1, or any";
  bool combines = kind == TSR_COLL_REDUCE || kind == TSR_COLL_ALLREDUCE || kind == TSR_COLL_REDUCE_SCATTER;
  *row = (struct tsr_select_row){.kind = (enum tsr_coll_kind)kind,
                                 .where = (enum tsr_where)where,
                                 .commutes = combines && combines_out_of_order((enum tsr_algorithm)algorithm),
                                 .most_members = (int32_t)members,
                                 .most_bytes = bytes,
                                 .algorithm = (enum tsr_algorithm)algorithm};
  return NULL;
}

/* Splits a line, up to a comment, into words. Returns their number; only the first WORDS_N are stored. */
static int split_line(const char *line, size_t bytes, word words[]) {
  int n = 0;
  for (size_t at = 0; at < bytes && line[at] != '#';) {
    size_t end = at;
    while (end < bytes && !isspace((unsigned char)line[end]) && line[end] != '#') end++;
    if (end == at) {
      at++;
      continue;
    }
    size_t length = end - at < WORD_BYTES ? end - at : WORD_BYTES - 1;
    if (n < WORDS_N) {
      memcpy(words[n], line + at, length);
      words[n][length] = '\0';
    }
    n++;
    at = end;
  }
  return n;
}

int tsr_select_parse(const char *text, struct tsr_select_row rows[], int most_n, const char **fault) {
  int n = 0;
  for (int line = 1; *text; line++) {
    size_t bytes = strcspn(text, "\n");
    word words[WORDS_N];
    int words_n = split_line(text, bytes, words);
    if (words_n != 0) {
      *fault = words_n != WORDS_N ? "not five words: collective, place, members, bytes, algorithm"
               : n == most_n      ? "too many rows"
                                  : read_row(words, &rows[n]);
      if (*fault) return -line;
      n++;
    }
    text += bytes + (text[bytes] == '\n');
  }
  return n;
}
