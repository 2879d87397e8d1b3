#include "p2p/match.h"

enum { BY_KEY, BY_ARRIVAL };

static void append_entry(struct tsr_match_list *list, tsr_match_entry *entry, int way) {
  entry->way[way].before = list->last;
  entry->way[way].after = NULL;
  if (list->last) list->last->way[way].after = entry;
  else list->first = entry;
  list->last = entry;
}

static void take_out(struct tsr_match_list *list, tsr_match_entry *entry, int way) {
  tsr_match_entry *before = entry->way[way].before, *after = entry->way[way].after;
  if (before) before->way[way].after = after;
  else list->first = after;
  if (after) after->way[way].before = before;
  else list->last = before;
}

static bool is_wild(const struct tsr_match_key *key) { return key->source < 0 || key->tag < 0; }

static bool is_equal(const struct tsr_match_key *a, const struct tsr_match_key *b) {
  return a->source == b->source && a->tag == b->tag && a->context == b->context;
}

/* Whether a receive takes a message. */
static bool key_matches(const struct tsr_match_key *receive, const struct tsr_match_key *message) {
  return receive->context == message->context && (receive->source == message->source || receive->source < 0) &&
         (receive->tag == message->tag || receive->tag < 0);
}

static unsigned bucket_of(const struct tsr_match_key *key) {
  uint64_t both = (uint64_t)(uint32_t)key->source << 32 | (uint32_t)key->tag;
  return (unsigned)((both ^ key->context) * UINT64_C(0x9e3779b97f4a7c15) >> 56) % TSR_MATCH_BUCKETS_N;
}

static tsr_match_entry *oldest_equal(const struct tsr_match_list *list, const struct tsr_match_key *key) {
  tsr_match_entry *entry = list->first;
  while (entry && !is_equal(&entry->key, key)) entry = entry->way[BY_KEY].after;
  return entry;
}

tsr_match_entry *tsr_match_probe(const tsr_match *table, const struct tsr_match_key *key) {
  if (!is_wild(key)) return oldest_equal(&table->messages[bucket_of(key)], key);
  tsr_match_entry *message = table->arrivals.first;
  while (message && !key_matches(key, &message->key)) message = message->way[BY_ARRIVAL].after;
  return message;
}

static void take_message(tsr_match *table, tsr_match_entry *message) {
  take_out(&table->messages[bucket_of(&message->key)], message, BY_KEY);
  take_out(&table->arrivals, message, BY_ARRIVAL);
}

tsr_match_entry *tsr_match_take(tsr_match *table, const struct tsr_match_key *key) {
  tsr_match_entry *message = tsr_match_probe(table, key);
  if (message) take_message(table, message);
  return message;
}

tsr_match_entry *tsr_match_receive(tsr_match *table, tsr_match_entry *receive) {
  tsr_match_entry *message = tsr_match_take(table, &receive->key);
  if (message) return message;
  receive->order = table->receives_n++;
  append_entry(is_wild(&receive->key) ? &table->wild : &table->receives[bucket_of(&receive->key)], receive, BY_KEY);
  return NULL;
}

tsr_match_entry *tsr_match_message(tsr_match *table, const struct tsr_match_key *key) {
  struct tsr_match_list *list = &table->receives[bucket_of(key)];
  tsr_match_entry *exact = oldest_equal(list, key), *wild = table->wild.first;
  while (wild && !key_matches(&wild->key, key)) wild = wild->way[BY_KEY].after;
  if (!exact && !wild) return NULL;
  bool takes_wild = !exact || (wild && wild->order < exact->order);
  if (takes_wild) take_out(&table->wild, wild, BY_KEY);
  else take_out(list, exact, BY_KEY);
  return takes_wild ? wild : exact;
}

void tsr_match_keep(tsr_match *table, tsr_match_entry *message) {
  append_entry(&table->messages[bucket_of(&message->key)], message, BY_KEY);
  append_entry(&table->arrivals, message, BY_ARRIVAL);
}

tsr_match_entry *tsr_match_oldest(tsr_match *table) {
  tsr_match_entry *message = table->arrivals.first;
  if (message) take_message(table, message);
  return message;
}

static tsr_match_entry *take_receive(struct tsr_match_list *list, uint16_t context) {
  tsr_match_entry *receive = list->first;
  while (receive && receive->key.context != context) receive = receive->way[BY_KEY].after;
  if (receive) take_out(list, receive, BY_KEY);
  return receive;
}

tsr_match_entry *tsr_match_any_receive(tsr_match *table, uint16_t context) {
  tsr_match_entry *receive = take_receive(&table->wild, context);
  for (int i = 0; i < TSR_MATCH_BUCKETS_N && !receive; i++) receive = take_receive(&table->receives[i], context);
  return receive;
}
