/* GASNet-1: active messages with each number of arguments, and the queries of the job. */
#include "gasnet_legacy_check.h"

enum { BYTES = 24, FIRST_ARG = 1000 };

static gasnett_atomic_t asked_n = gasnett_atomic_init(0), answered_n = gasnett_atomic_init(0);

/* They begin at args[1]. */
static void check_args(int n, const gasnet_handlerarg_t args[]) {
  for (int i = 1; i <= n; i++) CHECK_EQ(args[i], FIRST_ARG + i - 1);
}

static void check_data(const void *data, size_t bytes) {
  CHECK_EQ(bytes, BYTES);
  for (size_t i = 0; i < bytes; i++) CHECK_EQ(((const char *)data)[i], (char)(i * 7 + 1));
}

static int source_of(gasnet_token_t token) {
  gasnet_node_t node = UNITS_MAX;
  OK(gasnet_AMGetMsgSource(token, &node));
  CHECK((int)node < units_n);
  return (int)node;
}

/* The arguments are expanded before the call, which may be a macro. */
#define CALL(name, args) name args

#define P0
#define P1 , gasnet_handlerarg_t a1
#define P2 P1, gasnet_handlerarg_t a2
#define P3 P2, gasnet_handlerarg_t a3
#define P4 P3, gasnet_handlerarg_t a4
#define P5 P4, gasnet_handlerarg_t a5
#define P6 P5, gasnet_handlerarg_t a6
#define P7 P6, gasnet_handlerarg_t a7
#define P8 P7, gasnet_handlerarg_t a8
#define P9 P8, gasnet_handlerarg_t a9
#define P10 P9, gasnet_handlerarg_t a10
#define P11 P10, gasnet_handlerarg_t a11
#define P12 P11, gasnet_handlerarg_t a12
#define P13 P12, gasnet_handlerarg_t a13
#define P14 P13, gasnet_handlerarg_t a14
#define P15 P14, gasnet_handlerarg_t a15
#define P16 P15, gasnet_handlerarg_t a16
#define A0
#define A1 , a1
#define A2 A1, a2
#define A3 A2, a3
#define A4 A3, a4
#define A5 A4, a5
#define A6 A5, a6
#define A7 A6, a7
#define A8 A7, a8
#define A9 A8, a9
#define A10 A9, a10
#define A11 A10, a11
#define A12 A11, a12
#define A13 A12, a13
#define A14 A13, a14
#define A15 A14, a15
#define A16 A15, a16
#define EACH(what) \
  what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9) what(10) what(11) what(12) what(13)\
  what(14) what(15) what(16)

/* Requests and replies of each kind, by number of arguments; the table holds them in this order. */
enum { KINDS_N = 6, ARGS_N = 17 };
static gasnet_handler_t index_of(int kind, int args_n);

#define HANDLERS(n)                                                                                              \
  GASNETT_EXTERNC void ask_short_##n(gasnet_token_t token P##n);                                                 \
  void ask_short_##n(gasnet_token_t token P##n) {                                                                \
    gasnet_handlerarg_t args[] = {0 A##n};                                                                       \
    check_args(n, args);                                                                                         \
    gasnett_atomic_increment(&asked_n, 0);                                                                       \
    OK(CALL(gasnet_AMReplyShort##n, (token, index_of(3, n) A##n)));                                              \
  }                                                                                                              \
  GASNETT_EXTERNC void ask_medium_##n(gasnet_token_t token, void *data, size_t bytes P##n);                      \
  void ask_medium_##n(gasnet_token_t token, void *data, size_t bytes P##n) {                                     \
    gasnet_handlerarg_t args[] = {0 A##n};                                                                       \
    check_args(n, args);                                                                                         \
    check_data(data, bytes);                                                                                     \
    gasnett_atomic_increment(&asked_n, 0);                                                                       \
    OK(CALL(gasnet_AMReplyMedium##n, (token, index_of(4, n), data, bytes A##n)));                                \
  }                                                                                                              \
  GASNETT_EXTERNC void ask_long_##n(gasnet_token_t token, void *data, size_t bytes P##n);                        \
  void ask_long_##n(gasnet_token_t token, void *data, size_t bytes P##n) {                                       \
    gasnet_handlerarg_t args[] = {0 A##n};                                                                       \
    int source = source_of(token);                                                                               \
    check_args(n, args);                                                                                         \
    CHECK(data == segment_of(self) + source * BYTES);                                                            \
    check_data(data, bytes);                                                                                     \
    gasnett_atomic_increment(&asked_n, 0);                                                                       \
    OK(CALL(gasnet_AMReplyLong##n, (token, index_of(5, n), data, bytes, segment_of(source) + 2048 A##n)));       \
  }                                                                                                              \
  GASNETT_EXTERNC void answer_short_##n(gasnet_token_t token P##n);                                              \
  void answer_short_##n(gasnet_token_t token P##n) {                                                             \
    gasnet_handlerarg_t args[] = {0 A##n};                                                                       \
    source_of(token);                                                                                            \
    check_args(n, args);                                                                                         \
    gasnett_atomic_increment(&answered_n, 0);                                                                    \
  }                                                                                                              \
  GASNETT_EXTERNC void answer_data_##n(gasnet_token_t token, void *data, size_t bytes P##n);                     \
  void answer_data_##n(gasnet_token_t token, void *data, size_t bytes P##n) {                                    \
    gasnet_handlerarg_t args[] = {0 A##n};                                                                       \
    source_of(token);                                                                                            \
    check_args(n, args);                                                                                         \
    check_data(data, bytes);                                                                                     \
    gasnett_atomic_increment(&answered_n, 0);                                                                    \
  }
EACH(HANDLERS)

typedef gex_AM_Fn_t handler_fn;
#define ENTRIES(n)                                                                                               \
  {0, (handler_fn)ask_short_##n}, {0, (handler_fn)ask_medium_##n}, {0, (handler_fn)ask_long_##n},                \
      {0, (handler_fn)answer_short_##n}, {0, (handler_fn)answer_data_##n}, {0, (handler_fn)answer_data_##n},
static gasnet_handlerentry_t table[] = {EACH(ENTRIES)};

static gasnet_handler_t index_of(int kind, int args_n) { return table[args_n * KINDS_N + kind].index; }

static void expect(int answers) {
  GASNET_BLOCKUNTIL((int)gasnett_atomic_read(&answered_n, 0) == answers);
}

#define SEND(n)                                                                                                  \
  OK(CALL(gasnet_AMRequestShort##n, (to, index_of(0, n) A##n)));                                                 \
  OK(CALL(gasnet_AMRequestMedium##n, (to, index_of(1, n), data, BYTES A##n)));                                   \
  OK(CALL(gasnet_AMRequestLong##n, (to, index_of(2, n), data, BYTES, there A##n)));                              \
  expect(sent += 3);                                                                                             \
  OK(CALL(gasnet_AMRequestLongAsync##n, (to, index_of(2, n), data, BYTES, there A##n)));                         \
  expect(++sent);

static void messages(void) {
  gasnet_handlerarg_t a1 = FIRST_ARG, a2 = a1 + 1, a3 = a1 + 2, a4 = a1 + 3, a5 = a1 + 4, a6 = a1 + 5, a7 = a1 + 6,
                      a8 = a1 + 7, a9 = a1 + 8, a10 = a1 + 9, a11 = a1 + 10, a12 = a1 + 11, a13 = a1 + 12, a14 = a1 + 13,
                      a15 = a1 + 14, a16 = a1 + 15;
  char data[BYTES];
  for (int i = 0; i < BYTES; i++) data[i] = (char)(i * 7 + 1);
  int sent = 0;
  for (int to = 0; to < units_n; to++) {
    char *there = segment_of(to) + self * BYTES;
    EACH(SEND)
  }
  barrier();
  CHECK_EQ(gasnett_atomic_read(&asked_n, 0), 4 * ARGS_N * units_n);
  check_data(segment_of(self) + 2048, BYTES);
}

static void limits(void) {
  CHECK_EQ(gasnet_AMMaxArgs(), 16);
  CHECK(gasnet_AMMaxMedium() >= 512 && gasnet_AMMaxLongRequest() >= 512 && gasnet_AMMaxLongReply() >= 512);
}

static void places(void) {
  gasnet_nodeinfo_t nodes[UNITS_MAX];
  OK(gasnet_getNodeInfo(nodes, units_n));
  gex_Rank_t nbrhds, nbrhd, hosts, host;
  gex_System_QueryMyPosition(&nbrhds, &nbrhd, &hosts, &host);
  CHECK(nodes[self].supernode == nbrhd && nodes[self].host == host);
  for (int unit = 0; unit < units_n; unit++) {
    CHECK(nodes[unit].supernode < nbrhds && nodes[unit].host < hosts);
    if (nodes[unit].supernode != nbrhd) continue;
    const char *here = (const char *)((uintptr_t)segment_of(unit) + nodes[unit].offset);
    if (nodes[unit].offset || unit == self) CHECK_EQ(here[0], (char)(unit + 1));
  }
}

static void objects(void) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t all;
  gex_Segment_t segment;
  gasnet_QueryGexObjects(&client, &ep, &all, &segment);
  gasnet_QueryGexObjects(NULL, NULL, NULL, NULL);
  CHECK(gex_EP_QueryClient(ep) == client && gex_TM_QueryEP(all) == ep && gex_TM_QueryClient(all) == client);
  CHECK(gex_Segment_QueryAddr(segment) == segments[self].addr);
  CHECK(gex_Client_QueryFlags(client) & GEX_FLAG_USES_GASNET1);
}

static void old_names(void) {
  GASNET_BEGIN_FUNCTION();
  gasnet_threadinfo_t thread = GASNET_GET_THREADINFO();
  GASNET_POST_THREADINFO(thread);
  CHECK(thread != NULL && thread == GASNET_GET_THREADINFO());
  CHECK(gasneti_mynode == gasnet_mynode() && gasneti_nodes == gasnet_nodes());
  int evaluated_n = 0;
  gasneti_assert(++evaluated_n > 99);
  CHECK_EQ(evaluated_n, 0);
}

static void names(void) {
  CHECK(!strcmp(gasnet_ErrorName(GASNET_ERR_NOT_READY), "GASNET_ERR_NOT_READY"));
  CHECK(strlen(gasnet_ErrorDesc(GASNET_ERR_RESOURCE)) > 0 && gasnet_ErrorName(-7) && gasnet_ErrorDesc(-7));
  CHECK(strstr(GASNET_CONFIG_STRING, "CONDUIT=" GASNET_CONDUIT_NAME_STR) != NULL);
  OK(gasnet_set_waitmode(GASNET_WAIT_BLOCK));
  OK(gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK));
  OK(gasnet_set_waitmode(GASNET_WAIT_SPIN));
  gasnett_setenv("TEST_OF_LEGACY", "yes");
  CHECK(!strcmp(gasnet_getenv("TEST_OF_LEGACY"), "yes"));
}

int main(int argc, char **argv) {
  start(&argc, &argv, table, LENGTH(table), GASNET_PAGESIZE - 1);
  for (int i = 0; i < LENGTH(table); i++) CHECK(table[i].index >= 128 && (i == 0 || table[i].index == table[i - 1].index - 1));
  segment_of(self)[0] = (char)(self + 1);
  barrier();
  limits();
  places();
  objects();
  names();
  old_names();
  barrier();
  messages();
  OK(gasnet_AMPoll());
  return finish();
}
