/* dht-gasnet: a hash table that is distributed over all processes. The owner of a key stores its value. Other
 * processes send the owner active messages: one adds to the value of a key, and is acknowledged; another asks for the
 * value, and is answered.
 *
 * Each process counts the words of its own text. Then it asks for words that other processes have counted.
 *
 * Usage: dht-gasnet [WORDS] */
#define GASNET_SEQ 1
#include <gasnetex.h>
#include <gasnet_coll.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../arguments.h"

enum { BUCKETS = 1024, WORD_MAX = 32, DIFFERENT_WORDS = 500, WINDOW = 64 /* messages without an answer */ };
enum { WORDS_MAX = 10000000 };

typedef struct entry {
  struct entry *next;
  long value;
  size_t bytes;
  char word[WORD_MAX];
} entry;

static entry *buckets[BUCKETS];

static gex_TM_t everybody;
static gex_Rank_t me, units;

/* ---- The caller's part of the table ---- */

static uint32_t hash(const char *word, size_t bytes)
{
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < bytes; i++) h = (h ^ (unsigned char)word[i]) * 16777619u;
  return h;
}

static entry *find(const char *word, size_t bytes, int make)
{
  entry **bucket = &buckets[hash(word, bytes) / units % BUCKETS];
  for (entry *e = *bucket; e; e = e->next)
    if (e->bytes == bytes && memcmp(e->word, word, bytes) == 0) return e;
  if (!make) return NULL;
  entry *made = calloc(1, sizeof *made);
  if (!made) abort();
  memcpy(made->word, word, bytes);
  made->bytes = bytes;
  made->next = *bucket;
  return *bucket = made;
}

/* ---- Active messages ---- */

enum { ADD, ADDED, ASK, FOUND, HANDLERS };
static gex_AM_Entry_t handlers[HANDLERS];
#define TO(which) (handlers[which].gex_index)

/* State that this process waits for. Handlers run in this same thread while it calls the library. */
static volatile long unanswered;

static void on_add(gex_Token_t token, void *word, size_t bytes, gex_AM_Arg_t count)
{
  find(word, bytes, 1)->value += count;
  gex_AM_ReplyShort(token, TO(ADDED), 0);
}

static void on_added(gex_Token_t token)
{
  (void)token;
  unanswered--;
}

/* The address for an answer is valid in the asking process only. It travels as two arguments, in the request and in
 * its reply. */
static gex_AM_Arg_t high(const void *p) { return (gex_AM_Arg_t)((uint64_t)(uintptr_t)p >> 32); }
static gex_AM_Arg_t low(const void *p) { return (gex_AM_Arg_t)(uint32_t)(uintptr_t)p; }

static void on_ask(gex_Token_t token, void *word, size_t bytes, gex_AM_Arg_t place_high, gex_AM_Arg_t place_low)
{
  const entry *e = find(word, bytes, 0);
  gex_AM_ReplyShort(token, TO(FOUND), 0, place_high, place_low, e ? e->value : -1);
}

static void on_found(gex_Token_t token, gex_AM_Arg_t place_high, gex_AM_Arg_t place_low, gex_AM_Arg_t value)
{
  (void)token;
  *(long *)(uintptr_t)((uint64_t)(uint32_t)place_high << 32 | (uint32_t)place_low) = value;
  unanswered--;
}

static void wait_below(long n) { GASNET_BLOCKUNTIL(unanswered < n); }

static gex_Rank_t owner_of(const char *word) { return hash(word, strlen(word)) % units; }

static void add(const char *word, int count)
{
  wait_below(WINDOW);
  unanswered++;
  gex_AM_RequestMedium(everybody, owner_of(word), TO(ADD), word, strlen(word), GEX_EVENT_NOW, 0, count);
}

/* Stores *value when no request is unanswered; -1: there is no such word. */
static void ask(const char *word, long *value)
{
  wait_below(WINDOW);
  unanswered++;
  gex_AM_RequestMedium(everybody, owner_of(word), TO(ASK), word, strlen(word), GEX_EVENT_NOW, 0, high(value), low(value));
}

static void await_answers(void)
{
  wait_below(1);
  gex_Event_Wait(gex_Coll_BarrierNB(everybody, 0));
}

/* ---- The text: word i of process `unit` ---- */

static int number_of_word(gex_Rank_t unit, long i) { return (int)((i * 7919 + (long)unit * 104729) % DIFFERENT_WORDS); }
static void write_word(char *word, int number) { snprintf(word, WORD_MAX, "word-%d", number); }

static long expected(int number, long words)
{
  long n = 0;
  for (gex_Rank_t unit = 0; unit < units; unit++)
    for (long i = 0; i < words; i++) n += number_of_word(unit, i) == number;
  return n ? n : -1;
}

static void count_words(long words)
{
  char word[WORD_MAX];
  for (long i = 0; i < words; i++) {
    write_word(word, number_of_word(me, i));
    add(word, 1);
  }
  await_answers();
}

static int check(long words)
{
  static long values[DIFFERENT_WORDS], nothing;
  char word[WORD_MAX];
  for (int n = 0; n < DIFFERENT_WORDS; n++) {
    write_word(word, n);
    ask(word, &values[n]);
  }
  ask("no such word", &nothing);
  await_answers();
  int good = nothing == -1;
  for (int n = (int)me; n < DIFFERENT_WORDS; n += (int)units) good &= values[n] == expected(n, words);
  return good;
}

static int start(int *argc, char ***argv)
{
  gex_Client_t client;
  gex_EP_t endpoint;
  if (gex_Client_Init(&client, &endpoint, &everybody, "DHT", argc, argv, 0)) return 0;
  me = gex_TM_QueryRank(everybody);
  units = gex_TM_QuerySize(everybody);
  const gex_Flags_t request = GEX_FLAG_AM_REQUEST, reply = GEX_FLAG_AM_REPLY;
  handlers[ADD] = (gex_AM_Entry_t){0, on_add, GEX_FLAG_AM_MEDIUM | request, 1, NULL, "add"};
  handlers[ADDED] = (gex_AM_Entry_t){0, on_added, GEX_FLAG_AM_SHORT | reply, 0, NULL, "added"};
  handlers[ASK] = (gex_AM_Entry_t){0, on_ask, GEX_FLAG_AM_MEDIUM | request, 2, NULL, "ask"};
  handlers[FOUND] = (gex_AM_Entry_t){0, on_found, GEX_FLAG_AM_SHORT | reply, 3, NULL, "found"};
  if (gex_EP_RegisterHandlers(endpoint, handlers, HANDLERS)) return 0;
  gex_Event_Wait(gex_Coll_BarrierNB(everybody, 0)); /* no process sends before all have registered */
  return 1;
}

int main(int argc, char **argv)
{
  if (!start(&argc, &argv)) return 1;
  long words = 2000;
  const struct argument wanted[] = {{"WORDS", 1, WORDS_MAX, &words}};
  if (!read_arguments("dht-gasnet", argc, argv, me == 0, 1, wanted)) gasnet_exit(WRONG_ARGUMENTS);
  count_words(words);
  uint32_t bad = !check(words), bad_units = 0;
  gex_Event_Wait(gex_Coll_ReduceToAllNB(everybody, &bad_units, &bad, GEX_DT_U32, sizeof bad, 1, GEX_OP_ADD, NULL, NULL, 0));
  if (me == 0) {
    printf("dht-gasnet: words from each process: %ld, processes: %u, different words: up to %d\n", words, (unsigned)units,
           DIFFERENT_WORDS);
    printf("dht-gasnet: check %s\n", bad_units ? "FAILED" : "passed");
  }
  gasnet_exit(bad_units ? 1 : 0);
}
