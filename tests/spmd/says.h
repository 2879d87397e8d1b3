/* For tests of wrong calls: checks the returned code, and that the call prints one line with some words: its name, or
 * the message's identifier and its values. */
#ifndef SAYS_H
#define SAYS_H

#include "check.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int capture;
static int stderr_copy;

/* False: standard error cannot be captured. Call it first. */
static inline bool open_ears(void) {
  capture = memfd_create("stderr", 0);
  stderr_copy = dup(STDERR_FILENO);
  return capture >= 0 && stderr_copy >= 0;
}

static inline void listen(void) {
  fflush(stderr);
  if (ftruncate(capture, 0) || lseek(capture, 0, SEEK_SET)) abort();
  dup2(capture, STDERR_FILENO);
}

/* Whether the words, separated by blanks, are in the text, in this order. */
static inline bool has_words(const char *text, const char *words) {
  char word[64];
  for (size_t n; text && *words; words += n + (words[n] == ' ')) {
    n = strcspn(words, " ");
    if (n >= sizeof word) abort();
    memcpy(word, words, n);
    word[n] = 0;
    text = strstr(text, word);
    if (text) text += n;
  }
  return text != NULL;
}

/* Whether one line of the text has these words. */
static inline bool has_line(const char *text, const char *words) {
  char line[1024];
  for (size_t n; *text; text += n + (text[n] == '\n')) {
    n = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)n, text);
    if (has_words(line, words)) return true;
  }
  return false;
}

/* Removes the lines that say where the program has made the call. */
static inline void remove_callers(char *text) {
  for (char *at; (at = strstr(text, "] called "));) {
    while (at > text && at[-1] != '\n') at--;
    char *rest = strchr(at, '\n');
    if (rest) memmove(at, rest + 1, strlen(rest));
    else *at = 0;
  }
}

/* Whether the output since listen() is one line with these words, but for the caller. */
static inline bool heard_one_line(const char *words, char *text, size_t room) {
  dup2(stderr_copy, STDERR_FILENO);
  ssize_t n = pread(capture, text, room - 1, 0);
  text[n > 0 ? n : 0] = 0;
  remove_callers(text);
  char *end = strchr(text, '\n');
  return end && !end[1] && has_words(text, words);
}

/* The name of the function in a call. */
static inline const char *name_of(const char *call) {
  static char name[64];
  size_t n = strcspn(call, "(");
  memcpy(name, call, n);
  name[n] = 0;
  return name;
}

#define SAYS(words, code, call)                                         \
  do {                                                                  \
    char text_[4096];                                                   \
    listen();                                                           \
    int answer_ = (int)(call), code_ = (int)(code);                     \
    bool heard_ = heard_one_line(words, text_, sizeof text_);           \
    CHECK_EQ(answer_, code_);                                           \
    CHECK(heard_);                                                      \
    if (!heard_) fprintf(stderr, "  %s wrote: %s\n", #call, text_);     \
  } while (0)
#define BAD(code, call) SAYS(name_of(#call), code, call)

#endif
