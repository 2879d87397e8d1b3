/* steal-gasnet: all processes search a tree whose shape is not known in advance. A process without work asks others
 * for a part of their nodes, by immediate messages: if the queue of a victim is full, because the victim computes and
 * does not poll, the thief asks the next victim instead of waiting.
 *
 * The search is over when all processes are idle and no node is under way. A token that goes round twice finds that
 * out: it sums up the numbers of sent and received nodes, and both rounds must see the same numbers.
 *
 * Usage: steal-gasnet [DEPTH] */
#define GASNET_SEQ 1
#include <gasnetex.h>
#include <gasnet_coll.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../arguments.h"

enum {
  CHILDREN_MAX = 4,
  STACK = 1 << 14,
  GIVEN_MAX = 32,      /* nodes in one message */
  BETWEEN_POLLS = 16,  /* nodes */
  WORK = 500,          /* rounds of hashing for each node */
  DEPTH_MAX = 30
};

typedef struct {
  uint64_t key;
  int64_t depth;
} node;

static gex_TM_t everybody;
static gex_Rank_t me, units;

/* The work of this process, and its results. Handlers run in this same thread while it calls the library. */
static node stack[STACK];
static int stack_n;
static uint64_t sum;
static long nodes_n;
static struct {
  long asked, not_accepted, empty, got, sent, received;
} counts;

/* ---- The tree ---- */

static uint64_t mix(uint64_t x)
{
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

static uint64_t visit(node at)
{
  uint64_t value = at.key;
  for (int i = 0; i < WORK; i++) value = mix(value + 1);
  return value;
}

static int children_of(node at, int64_t depth_max, node *children)
{
  const int n = at.depth >= depth_max ? 0 : at.depth < 4 ? CHILDREN_MAX : (int)(mix(at.key) % (CHILDREN_MAX + 1));
  for (int i = 0; i < n; i++) children[i] = (node){mix(at.key * CHILDREN_MAX + (uint64_t)i + 1), at.depth + 1};
  return n;
}

static const node root = {12345, 0};

/* Searches the whole tree, for the check. */
static long search_alone(node at, int64_t depth_max, uint64_t *total)
{
  node children[CHILDREN_MAX];
  const int n = children_of(at, depth_max, children);
  long seen = 1;
  *total += visit(at);
  for (int i = 0; i < n; i++) seen += search_alone(children[i], depth_max, total);
  return seen;
}

/* ---- Active messages ---- */

enum { STEAL, TAKE, NOTHING, TOKEN, OVER, HANDLERS };
static gex_AM_Entry_t handlers[HANDLERS];
#define TO(which) (handlers[which].gex_index)

static volatile int waiting; /* of the reply to a steal request */
static volatile int over;
static struct {
  int here;
  gex_AM_Arg_t sent, received; /* by the processes visited in this round */
} idle_token;

/* The oldest nodes are the roots of the largest subtrees: give away half of them, if there are enough. */
static void on_steal(gex_Token_t token)
{
  int n = stack_n / 2;
  if (n > GIVEN_MAX) n = GIVEN_MAX;
  if (n == 0) {
    gex_AM_ReplyShort(token, TO(NOTHING), 0);
    return;
  }
  gex_AM_ReplyMedium(token, TO(TAKE), stack, (size_t)n * sizeof(node), GEX_EVENT_NOW, 0);
  stack_n -= n;
  memmove(stack, stack + n, (size_t)stack_n * sizeof(node));
  counts.sent += n;
}

static void on_take(gex_Token_t token, void *nodes, size_t bytes)
{
  (void)token;
  memcpy(stack + stack_n, nodes, bytes);
  stack_n += (int)(bytes / sizeof(node));
  counts.received += (long)(bytes / sizeof(node));
  counts.got++;
  waiting = 0;
}

static void on_nothing(gex_Token_t token)
{
  (void)token;
  counts.empty++;
  waiting = 0;
}

static void on_token(gex_Token_t token, gex_AM_Arg_t sent, gex_AM_Arg_t received)
{
  (void)token;
  idle_token.here = 1;
  idle_token.sent = sent;
  idle_token.received = received;
}

static void on_over(gex_Token_t token)
{
  (void)token;
  over = 1;
}

/* ---- Idle processes ---- */

/* Asks the next victim. Returns whether a reply will come. */
static int try_to_steal(void)
{
  static gex_Rank_t next;
  next = (next + 1) % units;
  if (next == me) return 0;
  counts.asked++;
  waiting = 1; /* the reply may arrive before the call returns */
  if (gex_AM_RequestShort(everybody, next, TO(STEAL), GEX_FLAG_IMMEDIATE) == 0) return 1;
  waiting = 0;
  counts.not_accepted++;
  return 0;
}

/* An idle process passes the token on with its numbers added; process 0 compares the rounds. */
static void pass_token(void)
{
  static gex_AM_Arg_t sent_before = -1, received_before = -1;
  idle_token.here = 0;
  if (me == 0) {
    if (idle_token.sent == sent_before && idle_token.received == received_before && sent_before == received_before) {
      for (gex_Rank_t unit = 0; unit < units; unit++) gex_AM_RequestShort(everybody, unit, TO(OVER), 0);
      return;
    }
    sent_before = idle_token.sent;
    received_before = idle_token.received;
    idle_token.sent = idle_token.received = 0;
  }
  gex_AM_RequestShort(everybody, (me + 1) % units, TO(TOKEN), 0, idle_token.sent + counts.sent,
                      idle_token.received + counts.received);
}

static void be_idle(void)
{
  if (idle_token.here) pass_token();
  if (waiting || try_to_steal()) GASNET_BLOCKUNTIL(!waiting || idle_token.here || stack_n || over);
  else gasnet_AMPoll();
}

/* ---- The search ---- */

static void work(int64_t depth_max)
{
  for (int i = 0; i < BETWEEN_POLLS && stack_n; i++) {
    const node at = stack[--stack_n];
    sum += visit(at);
    nodes_n++;
    stack_n += children_of(at, depth_max, stack + stack_n);
    if (stack_n > STACK - CHILDREN_MAX - GIVEN_MAX) abort();
  }
  gasnet_AMPoll();
}

static void search(int64_t depth_max)
{
  if (me == 0) {
    stack[stack_n++] = root;
    idle_token.here = 1;
  }
  while (!over) {
    if (stack_n) work(depth_max);
    else be_idle();
  }
}

static uint64_t total_of(uint64_t mine)
{
  uint64_t total = 0;
  gex_Event_Wait(gex_Coll_ReduceToAllNB(everybody, &total, &mine, GEX_DT_U64, sizeof mine, 1, GEX_OP_ADD, NULL, NULL, 0));
  return total;
}

static int report(int64_t depth_max)
{
  const uint64_t all_sum = total_of(sum), all_nodes = total_of((uint64_t)nodes_n);
  const uint64_t asked = total_of((uint64_t)counts.asked), not_accepted = total_of((uint64_t)counts.not_accepted);
  const uint64_t got = total_of((uint64_t)counts.got), moved = total_of((uint64_t)counts.received);
  uint64_t expected_sum = 0;
  const uint64_t expected = (uint64_t)search_alone(root, depth_max, &expected_sum);
  const int good = all_sum == expected_sum && all_nodes == expected;
  if (me != 0) return good;
  printf("steal-gasnet: nodes %llu, processes %u; %llu steals tried, %llu not accepted at once, %llu successful, "
         "%llu nodes moved\n",
         (unsigned long long)all_nodes, (unsigned)units, (unsigned long long)asked, (unsigned long long)not_accepted,
         (unsigned long long)got, (unsigned long long)moved);
  printf("steal-gasnet: check %s\n", good ? "passed" : "FAILED");
  return good;
}

static int start(int *argc, char ***argv)
{
  gex_Client_t client;
  gex_EP_t endpoint;
  if (gex_Client_Init(&client, &endpoint, &everybody, "STEAL", argc, argv, 0)) return 0;
  me = gex_TM_QueryRank(everybody);
  units = gex_TM_QuerySize(everybody);
  const gex_Flags_t request = GEX_FLAG_AM_REQUEST, reply = GEX_FLAG_AM_REPLY;
  handlers[STEAL] = (gex_AM_Entry_t){0, on_steal, GEX_FLAG_AM_SHORT | request, 0, NULL, "steal"};
  handlers[TAKE] = (gex_AM_Entry_t){0, on_take, GEX_FLAG_AM_MEDIUM | reply, 0, NULL, "take"};
  handlers[NOTHING] = (gex_AM_Entry_t){0, on_nothing, GEX_FLAG_AM_SHORT | reply, 0, NULL, "nothing"};
  handlers[TOKEN] = (gex_AM_Entry_t){0, on_token, GEX_FLAG_AM_SHORT | request, 2, NULL, "token"};
  handlers[OVER] = (gex_AM_Entry_t){0, on_over, GEX_FLAG_AM_SHORT | request, 0, NULL, "over"};
  if (gex_EP_RegisterHandlers(endpoint, handlers, HANDLERS)) return 0;
  gex_Event_Wait(gex_Coll_BarrierNB(everybody, 0)); /* no process sends before all have registered */
  return 1;
}

int main(int argc, char **argv)
{
  if (!start(&argc, &argv)) return 1;
  long depth_max = 12;
  const struct argument wanted[] = {{"DEPTH", 1, DEPTH_MAX, &depth_max}};
  if (!read_arguments("steal-gasnet", argc, argv, me == 0, 1, wanted)) gasnet_exit(WRONG_ARGUMENTS);
  search(depth_max);
  const int good = report(depth_max);
  gasnet_exit(good ? 0 : 1);
}
