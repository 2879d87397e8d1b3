/* Matching, compared with a model that keeps both sides in plain arrays and searches them from the oldest entry on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "p2p/match.h"

static tsr_match table;

static int start_empty(void **state) {
  (void)state;
  memset(&table, 0, sizeof table);
  return 0;
}

static tsr_match_entry entry(int source, int tag, int context) {
  return (tsr_match_entry){.key = {source, tag, (uint16_t)context}};
}

static void message_meets_waiting_receive(void **state) {
  (void)state;
  tsr_match_entry receive = entry(3, 7, 1), message = entry(3, 7, 1);
  assert_null(tsr_match_receive(&table, &receive));
  assert_ptr_equal(tsr_match_message(&table, &message.key), &receive);
  assert_null(tsr_match_message(&table, &message.key));
}

static void receive_meets_waiting_message(void **state) {
  (void)state;
  tsr_match_entry receive = entry(3, 7, 1), message = entry(3, 7, 1);
  assert_null(tsr_match_message(&table, &message.key));
  tsr_match_keep(&table, &message);
  assert_ptr_equal(tsr_match_probe(&table, &receive.key), &message);
  assert_ptr_equal(tsr_match_receive(&table, &receive), &message);
  assert_null(tsr_match_probe(&table, &receive.key));
}

/* In the order of arrival, and nothing of another context. */
static void a_taken_message_waits_no_more(void **state) {
  (void)state;
  tsr_match_entry first = entry(3, 7, 1), second = entry(2, 9, 1), other = entry(3, 7, 2);
  struct tsr_match_key any = {TSR_ANY_SOURCE, TSR_ANY_TAG, 1};
  tsr_match_keep(&table, &first);
  tsr_match_keep(&table, &other);
  tsr_match_keep(&table, &second);
  assert_ptr_equal(tsr_match_take(&table, &any), &first);
  assert_ptr_equal(tsr_match_take(&table, &any), &second);
  assert_null(tsr_match_take(&table, &any));
  assert_ptr_equal(tsr_match_oldest(&table), &other);
}

static void nothing_else_fits(void **state) {
  (void)state;
  tsr_match_entry receive = entry(3, 7, 1);
  tsr_match_entry others[] = {entry(2, 7, 1), entry(3, 8, 1), entry(3, 7, 2), entry(7, 3, 1)};
  assert_null(tsr_match_receive(&table, &receive));
  for (int i = 0; i < 4; i++) assert_null(tsr_match_message(&table, &others[i].key));
}

static void a_wildcard_stays_in_its_context(void **state) {
  (void)state;
  tsr_match_entry any = entry(TSR_ANY_SOURCE, TSR_ANY_TAG, 1), other = entry(0, 0, 2), own = entry(0, 0, 1);
  assert_null(tsr_match_receive(&table, &any));
  assert_null(tsr_match_message(&table, &other.key));
  tsr_match_keep(&table, &other);
  assert_ptr_equal(tsr_match_message(&table, &own.key), &any);
  assert_null(tsr_match_probe(&table, &any.key));
}

/* If a receive without and one with a wildcard match, the older one gets the message. */
static void the_oldest_receive_wins(void **state) {
  (void)state;
  tsr_match_entry exact = entry(1, 2, 0), wild = entry(TSR_ANY_SOURCE, 2, 0), later = entry(1, 2, 0);
  assert_null(tsr_match_receive(&table, &exact));
  assert_null(tsr_match_receive(&table, &wild));
  assert_null(tsr_match_receive(&table, &later));
  assert_ptr_equal(tsr_match_message(&table, &exact.key), &exact);
  assert_ptr_equal(tsr_match_message(&table, &exact.key), &wild);
  assert_ptr_equal(tsr_match_message(&table, &exact.key), &later);
}

static void the_oldest_message_is_taken(void **state) {
  (void)state;
  tsr_match_entry first = entry(1, 2, 0), second = entry(1, 3, 0), third = entry(1, 2, 0);
  tsr_match_entry any = entry(TSR_ANY_SOURCE, TSR_ANY_TAG, 0), tag = entry(TSR_ANY_SOURCE, 2, 0);
  tsr_match_keep(&table, &first);
  tsr_match_keep(&table, &second);
  tsr_match_keep(&table, &third);
  assert_ptr_equal(tsr_match_receive(&table, &tag), &first);
  assert_ptr_equal(tsr_match_receive(&table, &any), &second);
  assert_ptr_equal(tsr_match_oldest(&table), &third);
  assert_null(tsr_match_oldest(&table));
}

/* The model: waiting messages and receives, oldest first. */
enum { STEPS = 40000, SOURCES = 5, TAGS = 40, CONTEXTS = 2 };
struct side {
  tsr_match_entry *waiting[STEPS];
  int n;
};
static struct side receives, messages;

static int model_fits(const struct tsr_match_key *receive, const struct tsr_match_key *message) {
  return receive->context == message->context && (receive->source < 0 || receive->source == message->source) &&
         (receive->tag < 0 || receive->tag == message->tag);
}

static int find_message(const struct tsr_match_key *key) {
  for (int i = 0; i < messages.n; i++) {
    if (model_fits(key, &messages.waiting[i]->key)) return i;
  }
  return -1;
}
static int find_receive(const struct tsr_match_key *key) {
  for (int i = 0; i < receives.n; i++) {
    if (model_fits(&receives.waiting[i]->key, key)) return i;
  }
  return -1;
}

static tsr_match_entry *pick(struct side *side, int which) {
  if (which < 0) return NULL;
  tsr_match_entry *one = side->waiting[which];
  memmove(&side->waiting[which], &side->waiting[which + 1], (size_t)(--side->n - which) * sizeof side->waiting[0]);
  return one;
}

static void step(tsr_match_entry *one, unsigned *seed, int receives_percent, int wild_percent) {
  *one = entry(rand_r(seed) % SOURCES, rand_r(seed) % TAGS, rand_r(seed) % CONTEXTS);
  if (rand_r(seed) % 100 >= receives_percent) {
    tsr_match_entry *expected = pick(&receives, find_receive(&one->key));
    assert_ptr_equal(tsr_match_message(&table, &one->key), expected);
    if (expected) return;
    tsr_match_keep(&table, one);
    messages.waiting[messages.n++] = one;
    return;
  }
  if (rand_r(seed) % 100 < wild_percent) one->key.source = TSR_ANY_SOURCE;
  if (rand_r(seed) % 100 < wild_percent) one->key.tag = TSR_ANY_TAG;
  int which = find_message(&one->key);
  assert_ptr_equal(tsr_match_probe(&table, &one->key), which < 0 ? NULL : messages.waiting[which]);
  tsr_match_entry *expected = pick(&messages, which);
  assert_ptr_equal(tsr_match_receive(&table, one), expected);
  if (!expected) receives.waiting[receives.n++] = one;
}

/* Many messages, many receives, and both in turns. */
static void random_model(void **state) {
  (void)state;
  static tsr_match_entry entries[STEPS];
  static const int receives_percent[] = {50, 20, 80, 35, 65}, wild_percent[] = {0, 5, 50};
  for (unsigned round = 0; round < 15; round++) {
    unsigned seed = 4711 + round;
    memset(&table, 0, sizeof table);
    receives.n = messages.n = 0;
    for (int i = 0; i < STEPS / 20; i++) step(&entries[i], &seed, receives_percent[round % 5], wild_percent[round / 5]);
    while (messages.n > 0) assert_ptr_equal(tsr_match_oldest(&table), pick(&messages, 0));
    assert_null(tsr_match_oldest(&table));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(message_meets_waiting_receive, start_empty),
    cmocka_unit_test_setup(receive_meets_waiting_message, start_empty),
    cmocka_unit_test_setup(a_taken_message_waits_no_more, start_empty),
    cmocka_unit_test_setup(nothing_else_fits, start_empty),
    cmocka_unit_test_setup(a_wildcard_stays_in_its_context, start_empty),
    cmocka_unit_test_setup(the_oldest_receive_wins, start_empty),
    cmocka_unit_test_setup(the_oldest_message_is_taken, start_empty),
    cmocka_unit_test_setup(random_model, start_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
