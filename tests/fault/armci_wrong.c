/* A wrong call of ARMCI that has no result; the argument selects it. All units make the same calls, except those that lock. */
#include <armcix.h>

#include <string.h>

static int me, last;
static const char *what;

static int is(const char *name) { return strcmp(what, name) == 0; }

static void lock_wrongly(void) {
  ARMCI_Create_mutexes(me == last ? 2 : 1);
  if (is("unlock") && me == 0) ARMCI_Unlock(1, last);
  if (is("others") && me == 0) ARMCI_Lock(0, last);
  armci_msg_barrier();
  if (is("others") && me == last) ARMCI_Unlock(0, last);
  if (is("twice") && me == 0) ARMCI_Lock(0, last);
  if (is("twice") && me == 0) ARMCI_Lock(0, last);
  if (is("number") && me == 0) ARMCI_Lock(1, 0);
  if (is("process") && me == 0) ARMCI_Lock(0, last + 1);
  armci_msg_barrier();
}

static void message_wrongly(void) {
  int x[4] = {0}, got;
  if (is("short") && me == 0) armci_msg_snd(3, x, sizeof x, last);
  if (is("short") && me == last) armci_msg_rcv(3, x, sizeof x[0], &got, 0);
  if (is("tag")) armci_msg_snd(-1, x, sizeof x, 0);
  if (is("to")) armci_msg_snd(1, x, sizeof x, last + 1);
  if (is("root")) armci_msg_bcast(x, sizeof x, last + 1);
  if (is("far")) armci_msg_bcast_scope(SCOPE_NODE, x, sizeof x, me == last ? 0 : last);
  if (is("scope")) armci_msg_gop_scope(17, x, 4, "+", ARMCI_INT);
  if (is("operation")) armci_msg_igop(x, 4, "plus");
  if (is("real")) armci_msg_gop_scope(SCOPE_ALL, x, 1, "or", ARMCI_DOUBLE);
  if (is("type")) armci_msg_gop_scope(SCOPE_ALL, x, 4, "+", 99);
  if (is("nobody")) armci_msg_sel(x, sizeof x, "max", ARMCI_INT, 0);
  if (is("places")) armci_exchange_address((void **)x, last + 2);
  armci_msg_barrier();
}

static void group_wrongly(void) {
  ARMCI_Group group, copy;
  int list[3] = {0, last, last};
  if (is("double")) ARMCI_Group_create(3, list, &group);
  if (is("stranger")) ARMCI_Group_create(2, (int[]){me, last + 1}, &group);
  ARMCI_Group_get_world(&group);
  if (is("world")) ARMCI_Group_free(&group);
  ARMCI_Group_create(1, &me, &group);
  copy = group;
  if (is("sets")) ARMCIX_Create_mutexes_hdl(1, &group);
  if (is("sets") || is("freed")) ARMCI_Group_free(&group);
  if (is("freed")) armci_msg_group_barrier(&copy);
}

static void describe_wrongly(void) {
  armci_meminfo_t made, copy;
  if (is("flag")) ARMCI_Memget(8, &made, 1);
  if (is("none")) ARMCI_Memget(0, &made, 0);
  ARMCI_Memget(64, &made, 0);
  copy = made;
  if (is("beyond")) ARMCI_Memat(&made, 65);
  ARMCI_Memctl(&made);
  if (is("forgotten")) ARMCI_Memat(&made, 0);
  if (is("again")) ARMCI_Memctl(&copy);
}

static void assert_wrongly(void) {
  dassert(!is("disabled"), me >= 0);
  if (is("plain")) dassert(1, me > last);
  if (is("words")) dassertp(1, me > last, ("%d of %d\n", me, last + 1));
  if (is("die")) armci_die("no luck", 41);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  what = argv[1];
  if (is("early")) armci_msg_barrier();
  ARMCI_Init();
  me = armci_msg_me();
  last = armci_msg_nproc() - 1;
  if (is("error")) ARMCI_Error("no more", 7);
  if (is("abort")) armci_msg_abort(0);
  assert_wrongly();
  describe_wrongly();
  group_wrongly();
  message_wrongly();
  lock_wrongly();
  ARMCI_Finalize();
  if (is("late")) ARMCI_Unlock(0, 0);
  return 0;
}
