#include "base/plural.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct pair {
  const char *plural, *singular;
};

/* Of verbs, the names of things would be wrong behind "unit 1": only nouns that are never verbs here, or follow no name. */
static const struct pair nouns[] = {
    {"agents", "agent"},         {"arguments", "argument"},   {"bytes", "byte"},           {"children", "child"},
    {"counters", "counter"},     {"descriptors", "descriptor"}, {"elements", "element"},   {"entries", "entry"},
    {"events", "event"},         {"handlers", "handler"},     {"levels", "level"},         {"members", "member"},
    {"messages", "message"},     {"mutexes", "mutex"},        {"nodes", "node"},           {"notifications", "notification"},
    {"operations", "operation"}, {"packages", "package"},     {"pieces", "piece"},         {"places", "place"},
    {"processes", "process"},    {"requests", "request"},     {"segments", "segment"},     {"sets", "set"},
    {"steps", "step"},           {"strides", "stride"},       {"tags", "tag"},             {"teams", "team"},
    {"transfers", "transfer"},   {"units", "unit"},
};
static const struct pair verbs[] = {{"are", "is"}, {"have", "has"}, {"were", "was"}, {"wait", "waits"}, {"want", "wants"}};

/* The pair whose plural is the word that begins here; NULL: none. */
static const struct pair *find_pair(const struct pair pairs[], size_t pairs_n, const char *word) {
  size_t length = 0;
  while (isalpha((unsigned char)word[length])) length++;
  for (size_t i = 0; i < pairs_n; i++) {
    if (strlen(pairs[i].plural) == length && strncmp(pairs[i].plural, word, length) == 0) return &pairs[i];
  }
  return NULL;
}

/* Returns what follows the word. A singular is at most one letter longer than its plural; `waits` is. */
static char *replace_word(char *word, const struct pair *pair) {
  char *rest = word + strlen(pair->plural);
  size_t length = strlen(pair->singular);
  memmove(word + length, rest, strlen(rest) + 1);
  memcpy(word, pair->singular, length);
  return word + length;
}

static char *fix_noun(char *word) {
  const struct pair *noun = find_pair(nouns, sizeof nouns / sizeof nouns[0], word);
  if (!noun) return word;
  char *rest = replace_word(word, noun); /* at least one letter shorter: a verb may take that */
  const struct pair *verb = *rest == ' ' ? find_pair(verbs, sizeof verbs / sizeof verbs[0], rest + 1) : NULL;
  return verb ? replace_word(rest + 1, verb) : rest;
}

void tsr_plural_fix(char *text) {
  for (char *at = text; (at = strstr(at, "1 "));) {
    bool is_whole = at == text || strchr(" (:=\"", at[-1]);
    at += 2;
    if (is_whole) at = fix_noun(at);
  }
}
