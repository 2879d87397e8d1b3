/* Long messages from private memory whose sender may not make progress: no bounce buffers are allocated if none are
 * used, and if the kernel cannot read the memory, another way is taken without a message.
 * Units: 2
 */
#include "check.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/wait.h"
#include "core/bootstrap.h"
#include "core/place.h"
#include "node/attach.h"
#include "p2p/local.h"
#include "p2p/p2p.h"

enum { BYTES = 3 << 18, TAG = 7, STAGES_BYTES = 1 << 20, KEY = 0x5a };

static unsigned char *memory;

static int64_t held_bytes(void) {
  tsr_bootstrap_barrier(tsr_team_world);
  int64_t bytes = tsr_heap_live_bytes();
  tsr_bootstrap_barrier(tsr_team_world);
  return bytes;
}

/* The output of this unit meanwhile. */
static int log_before, log_now;
static void listen(void) {
  log_before = dup(STDERR_FILENO);
  log_now = memfd_create("log", MFD_CLOEXEC);
  dup2(log_now, STDERR_FILENO);
}
static off_t heard_bytes(void) {
  dup2(log_before, STDERR_FILENO);
  close(log_before);
  off_t bytes = lseek(log_now, 0, SEEK_END);
  close(log_now);
  return bytes;
}

static void receive(void) {
  tsr_incoming in;
  memset(memory, 0, BYTES);
  tsr_p2p_receive(&in, TSR_UNIT(0), TSR_P2P_DART, TAG, memory, BYTES);
  CHECK_EQ(in.bytes, BYTES);
  for (size_t i = 0; i < BYTES; i += 4095) CHECK_EQ(memory[i], KEY);
}

static bool sent;
static void note_sent(tsr_outgoing *out) {
  (void)out;
  sent = true;
}
static bool is_sent(const void *unused) {
  (void)unused;
  return sent;
}

static tsr_outgoing *start(void) {
  static tsr_outgoing out;
  sent = false;
  CHECK_EQ(tsr_p2p_send_start_then(&out, TSR_UNIT(1), TSR_P2P_DART, TAG, memory, BYTES, TSR_P2P_STANDARD, note_sent),
           TESSERA_OK);
  return &out;
}
static void finish(const tsr_outgoing *out) {
  tsr_wait(is_sent, NULL, (struct tsr_wait_why){TSR_WAIT_RECEIVER, out->to.id, out->tag});
}

static void what_is_read_takes_no_bounce_buffer(void) {
  int64_t before = held_bytes();
  if (tsr_place.self == 0) finish(start());
  else receive();
  CHECK(held_bytes() < before + STAGES_BYTES);
}

/* The data cannot be read from outside, or at all, until the receiver has tried. */
static void send_hidden(void) {
  CHECK_EQ(mprotect(memory, BYTES, PROT_NONE), 0);
  const tsr_outgoing *out = start();
  while (atomic_load(&out->rndv->answer) == TSR_RNDV_OFFERED) sched_yield();
  CHECK_EQ(atomic_load(&out->rndv->answer), TSR_RNDV_BOUNCE);
  CHECK_EQ(mprotect(memory, BYTES, PROT_READ | PROT_WRITE), 0);
  finish(out);
}

static void what_cannot_be_read_takes_one(void) {
  int64_t before = held_bytes();
  if (tsr_place.self == 0) {
    send_hidden();
  } else {
    listen();
    receive();
    CHECK_EQ(heard_bytes(), 0);
  }
  CHECK(held_bytes() >= before + STAGES_BYTES);
}

int main(int argc, char **argv) {
  CHECK_EQ(tessera_init(&argc, &argv), TESSERA_OK);
  int32_t local = tsr_place_local(TSR_UNIT(1 - tsr_place.self));
  int64_t cannot = local < 0 || !tsr_attach_works((uint32_t)local);
  tsr_bootstrap_max(tsr_team_world, &cannot, 1);
  memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  memset(memory, KEY, BYTES);
  if (!cannot) {
    what_is_read_takes_no_bounce_buffer();
    what_cannot_be_read_takes_one();
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return cannot ? 77 : check_result();
}
