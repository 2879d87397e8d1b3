/* Calls that are wrong on purpose, a case for each message of the library: the table of a program of tests/fault/messages_*.c,
 * whose output golden.sh compares with a golden file. Include it in one file of the program.
 *
 *   PROGRAM list      names the message of each case, without a start
 *   PROGRAM together  makes all the calls that return, one after the other
 *   PROGRAM 1234...   makes the calls of these messages only */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  GOLDEN_ALL = 1,   /* every unit makes the call; else unit 0 alone does */
  GOLDEN_OWN = 2,   /* in a job of its own: the call ends it, or needs another number of units or other variables */
  GOLDEN_EARLY = 4, /* before the start */
  GOLDEN_LATE = 8,  /* after the end */
  GOLDEN_ONLY = 16, /* in a job of its own, of which this is all: no start, no end */
};

/* A message may have several cases. */
struct golden_case {
  const char *number;   /* of the message: "1234" */
  bool (*fails)(void);  /* makes the call; false: it reported success. One that cannot report returns true */
  int how;              /* GOLDEN_ALL and others */
};

struct golden_program {
  const struct golden_case *cases;
  size_t cases_n;
  bool (*start)(int *argc, char ***argv); /* true if it succeeds */
  void (*end)(void);
  int (*unit)(void);
  void (*barrier)(void); /* of all units, after each case */
};

/* Whether the case is one of those that the arguments name; with "together", whether it needs no job of its own. */
static bool golden_is_chosen(const struct golden_case *c, char *const *names) {
  if (!strcmp(*names, "together")) return !(c->how & (GOLDEN_OWN | GOLDEN_ONLY));
  while (*names && strcmp(*names, c->number)) names++;
  return *names;
}

static void golden_call(const struct golden_case *c) {
  fprintf(stderr, "case %s\n", c->number); /* in one piece: the last one before a crash */
  if (c->fails()) return;
  fprintf(stderr, "case %s: the call did not fail\n", c->number);
  exit(EXIT_FAILURE);
}

/* Those of the chosen cases that have just the bits `when` of those that say when. Returns how many there are. */
static int golden_calls(const struct golden_program *p, char *const *names, int when) {
  int n = 0;
  for (size_t i = 0; i < p->cases_n; i++) {
    const struct golden_case *c = &p->cases[i];
    if (!golden_is_chosen(c, names) || (c->how & (GOLDEN_EARLY | GOLDEN_LATE | GOLDEN_ONLY)) != when) continue;
    if (when || (c->how & GOLDEN_ALL) || p->unit() == 0) golden_call(c);
    if (!when) p->barrier();
    n++;
  }
  return n;
}

static int golden_main(int argc, char **argv, const struct golden_program *p) {
  char *const *names = argv + 1;
  if (argc < 2) return 99;
  bool lists = !strcmp(argv[1], "list");
  for (size_t i = 0; i < p->cases_n && lists; i++) printf("%s\n", p->cases[i].number);
  if (lists || golden_calls(p, names, GOLDEN_ONLY)) return 0;
  golden_calls(p, names, GOLDEN_EARLY);
  if (!p->start(&argc, &argv)) return 98;
  golden_calls(p, names, 0);
  p->end();
  golden_calls(p, names, GOLDEN_LATE);
  return 0;
}

/* For lists of calls, LIST(CALL) with rows CALL(NUMBER, HOW, EXPRESSION): a function for each, and its case. */
#define GOLDEN_DEFINE_RETURNING(number, how, ...) \
  static bool call_##number(void) { return __VA_ARGS__; }
#define GOLDEN_RETURNING(number, how, ...) {#number, call_##number, how},
#define GOLDEN_ENDING(number, when, ...) {#number, call_##number, GOLDEN_ALL | GOLDEN_OWN | when},

#endif
