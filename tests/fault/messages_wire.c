/* Messages of the wire between nodes over MPI, a case for each: unit 1 sends what no build of Tessera sends, MPI fails, or unit 0
 * has no memory for what comes; see support/golden.h. */
#include "support/no_memory.h"

#include <mpi.h>
#include <unistd.h>

#include "core/bootstrap.h"
#include "core/progress.h"
#include "net/common/wire.h"
#include "net/start.h"
#include "support/golden.h"

enum { H_NOTHING = 26, H_NO_PLACE, H_PLACE, H_ANSWER, H_TALKATIVE };
enum { SLOT = 5, ANSWER_BYTES = TSR_WIRE_SHORT_REPLY };
static char memory[1 << 20];

/* ---- handlers ---- */

static void do_nothing(const struct tsr_net_in *in, struct tsr_net_out *out) { (void)in, (void)out; }
static void take_place(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)in;
  out->bulk = memory;
}
static void answer(const struct tsr_net_in *in, struct tsr_net_out *out) {
  out->reply = memory;
  out->reply_bytes = in->reply_bytes;
}
static void answer_more(const struct tsr_net_in *in, struct tsr_net_out *out) {
  out->reply = memory;
  out->reply_bytes = in->reply_bytes + 1;
}

static void register_handlers(void) {
  tsr_net_register(H_NOTHING, do_nothing);
  tsr_net_register(H_NO_PLACE, do_nothing);
  tsr_net_register(H_PLACE, take_place);
  tsr_net_register(H_ANSWER, answer);
  tsr_net_register(H_TALKATIVE, answer_more);
}

static bool start(int *argc, char ***argv) {
  register_handlers();
  return tessera_init(argc, argv) == TESSERA_OK;
}
static void end(void) { tessera_exit(); }
static int unit(void) { return tessera_unit(); }
static void barrier(void) { tsr_bootstrap_barrier(tsr_team_world); }

/* ---- wrong messages of unit 1 ---- */

/* No unit serves requests meanwhile. */
static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

_Noreturn static void serve_for_ever(void) {
  for (;;) tsr_progress();
}

/* Unit 0 ends the job. */
_Noreturn static void wait_for_ever(void) {
  while (tessera_unit() != 0) sleep(60);
  serve_for_ever();
}

static bool send_message(struct tsr_wire_header header, size_t bytes, const void *tail) {
  static char message[4096];
  header.magic = TSR_WIRE_MAGIC;
  header.slot = SLOT;
  memcpy(message, &header, sizeof header);
  if (tail) memcpy(message + sizeof header, tail, bytes - sizeof header);
  if (tessera_unit() == 1) tsr_wire->send_request(0, message, bytes);
  return true;
}

static void send_bulk(size_t bytes) {
  if (tessera_unit() != 1) return;
  tsr_wire->send(memory, &(struct tsr_wire_message){.kind = TSR_WIRE_BULK, .rank = 0, .tag = SLOT, .bytes = bytes, .what = "bulk"});
}

#define HEADER(...) ((struct tsr_wire_header){__VA_ARGS__})
static bool send_less_bulk(void) {
  send_message(HEADER(.handler = H_PLACE, .bulk_bytes = 8), 64, NULL);
  send_bulk(4);
  wait_for_ever();
}
static bool send_less_payload(void) {
  send_message(HEADER(.handler = H_NOTHING, .out_of_line = 1, .payload_bytes = 40000), 64, NULL);
  send_bulk(100);
  wait_for_ever();
}
static bool send_unplaced(void) {
  send_message(HEADER(.handler = H_NO_PLACE, .bulk_bytes = 8), 64, NULL);
  wait_for_ever();
}
static bool ask_talkative(void) {
  send_message(HEADER(.handler = H_TALKATIVE, .reply_bytes = 8), 64, NULL);
  wait_for_ever();
}

/* As acks.c has them behind a request. */
struct entry {
  uint16_t slot, bytes;
};

static bool acknowledge_unsent(void) {
  send_message(HEADER(.handler = H_NOTHING), 64 + sizeof(struct entry), &(struct entry){9, 0});
  wait_for_ever();
}
static bool send_three_bytes_more(void) {
  send_message(HEADER(.handler = H_NOTHING), 64 + 3, "abc");
  wait_for_ever();
}

/* Unit 0 has as many requests under way as there are slots. */
static bool reply_unasked(void) {
  struct { struct entry entry; char reply[4]; } tail = {{SLOT, sizeof tail.reply}, {0}};
  if (tessera_unit() == 0) {
    for (int i = 0; i < 16; i++) tsr_net->request(&(struct tsr_net_request){.rank = 1, .handler = H_NOTHING});
  }
  meet();
  send_message(HEADER(.handler = H_NOTHING), 64 + sizeof tail, &tail);
  wait_for_ever();
}

/* ---- unit 0 without memory, when all that unit 1 has sent is there ---- */

static void ask(size_t reply_bytes, size_t payload_bytes) {
  if (tessera_unit() != 1) return;
  static char replies[64][ANSWER_BYTES];
  for (int i = 0; i < 16; i++)
    tsr_net->request(&(struct tsr_net_request){.rank = 0, .handler = H_ANSWER, .payload = memory, .payload_bytes = payload_bytes,
                                               .reply = replies[i], .reply_bytes = reply_bytes});
}

/* Each request stays until its bulk has come, and needs room for its reply. */
static bool serve_without(void) {
  for (int i = 0; i < 16; i++) send_message(HEADER(.handler = H_PLACE, .bulk_bytes = 8, .reply_bytes = 8), 64, NULL);
  meet();
  no_memory_after(0);
  wait_for_ever();
}

static bool take_long_without(void) {
  ask(0, tsr_net_limits.payload_bytes);
  meet();
  no_memory_after(0);
  wait_for_ever();
}

static bool acknowledge_without(void) {
  ask(ANSWER_BYTES, 8);
  meet();
  no_memory_between(0, TSR_WIRE_ACKS_MOST, TSR_WIRE_ACKS_MOST + 256);
  wait_for_ever();
}

static bool request_without(void) {
  if (tessera_unit() == 1) wait_for_ever();
  no_memory_after(0);
  for (int i = 0; i < 16; i++) tsr_net->request(&(struct tsr_net_request){.rank = 1, .handler = H_NOTHING});
  return false;
}

static bool receive_without(void) {
  static char received[1000];
  no_memory_after(0);
  for (int i = 0; i < 1000; i++) tsr_net->receive(&received[i], &(struct tsr_net_message){.rank = 1, .tag = i, .bytes = 1});
  return false;
}

/* With TESSERA_WIRE_DELAY_US. */
static bool delay_without(int after) {
  if (tessera_unit() == 1) serve_for_ever();
  tsr_net->request(&(struct tsr_net_request){.rank = 1, .handler = H_NOTHING});
  no_memory_after(after);
  wait_for_ever();
}
static bool delay_answer_without(void) { return delay_without(0); }
static bool delay_without_any(void) { return delay_without(1); }

/* ---- the start, with an MPI that fails ---- */

static enum { MPI_WORKS, NO_DUPLICATE, FEW_TAGS, NO_TABLES, NO_RECEIVES } mpi_fails;

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy) { return mpi_fails == NO_DUPLICATE ? MPI_ERR_COMM : PMPI_Comm_dup(comm, copy); }

int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *known) {
  static int few = 100;
  if (mpi_fails != FEW_TAGS || key != MPI_TAG_UB) return PMPI_Comm_get_attr(comm, key, value, known);
  *(void **)value = &few;
  *known = 1;
  return MPI_SUCCESS;
}

/* Of the transport's two communicators; its tables follow. */
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  static int n;
  if (mpi_fails >= NO_TABLES && ++n == 2) no_memory_once(mpi_fails == NO_TABLES ? 0 : 3);
  return PMPI_Comm_set_errhandler(comm, handler);
}

/* The library looks for the MPI's own functions by it. */
static bool mpi_is_hidden;
#if NO_MEMORY_FAILS
int dladdr(const void *address, Dl_info *info) {
  static int (*own)(const void *, Dl_info *);
  if (!own) *(void **)&own = dlsym(RTLD_NEXT, "dladdr");
  return mpi_is_hidden ? 0 : own(address, info);
}
#endif

static bool start_without_mpi(void) {
  mpi_is_hidden = true;
  tessera_init(NULL, NULL);
  return false;
}

static bool start_with(int how) {
  mpi_fails = how;
  tessera_status_t status = tessera_init(NULL, NULL);
  mpi_fails = MPI_WORKS;
  return status != TESSERA_OK;
}
static bool start_without_duplicate(void) { return start_with(NO_DUPLICATE); }
static bool start_with_few_tags(void) { return start_with(FEW_TAGS); }
static bool start_without_tables(void) { return start_with(NO_TABLES); }
static bool start_without_receives(void) { return start_with(NO_RECEIVES); }

/* ---- calls ---- */

static bool start_again(void) { return tsr_net_start(MPI_COMM_WORLD, NULL) == TESSERA_ERR_STATE; }
static bool put_without_window(void) {
  return tsr_net->put(&(struct tsr_net_piece){.unit = 1, .local_addr = memory, .bytes = 8}) == TESSERA_ERR_UNSUPPORTED;
}
static bool request_early(void) {
  tsr_net->request(&(struct tsr_net_request){.rank = 1});
  return false;
}

#define ALL (GOLDEN_ALL | GOLDEN_OWN)
#define EARLY (GOLDEN_EARLY | GOLDEN_OWN)
static const struct golden_case cases[] = {
    {"0200", acknowledge_without, ALL},
    {"0201", delay_answer_without, ALL},
    {"0203", start_without_duplicate, EARLY},
    {"0205", delay_without_any, ALL},
    {"0206", serve_without, ALL},
    {"0207", send_less_bulk, ALL},
    {"0208", send_unplaced, ALL},
    {"0209", ask_talkative, ALL},
    {"0210", send_less_payload, ALL},
    {"0213", take_long_without, ALL},
    {"0214", start_without_mpi, EARLY},
    {"0216", receive_without, GOLDEN_OWN},
    {"0217", request_without, ALL},
    {"0218", acknowledge_unsent, ALL},
    {"0220", start_with_few_tags, EARLY},
    {"0222", start_without_tables, EARLY},
    {"0223", start_again, GOLDEN_ALL},
    {"0224", put_without_window, 0},
    {"0232", request_early, EARLY},
    {"0233", start_without_receives, EARLY},
    {"0251", send_three_bytes_more, ALL},
    {"0252", reply_unasked, ALL},
};

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start, end, unit, barrier});
}
