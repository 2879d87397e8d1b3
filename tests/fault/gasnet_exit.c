/* gasnet_exit HOW CODE: one process ends a GASNet job, in the way HOW, while the others do something else; otherwise
 * the job never ends. gasnet_exit_par is the same with several threads. */
#if !defined(GASNET_PAR)
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>

#include <gasnet_coll.h>
#include <gasnet_tools.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { HANDLER = 200 };

static gex_TM_t all;
static int last, self, code;

GASNETT_EXTERNC void on_message(gex_Token_t token, gex_AM_Arg_t value);
void on_message(gex_Token_t token, gex_AM_Arg_t value) {
  (void)token;
  gasnet_exit(value);
}

GASNETT_EXTERNC void on_quit(int number);
void on_quit(int number) {
  (void)number;
  gasnet_exit(code);
}

/* The signal arrives at any point of the wait. */
static int late_signal;
static void on_timer(int number) {
  (void)number;
  raise(late_signal);
}
_Noreturn static void get_signal_later(const char *name) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  static const char *const names[] = {"SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE"};
  struct itimerval soon = {.it_value = {.tv_usec = 30000}};
  for (int i = 0; i < 4; i++) late_signal = strcmp(name, names[i]) ? late_signal : signals[i];
  gasnett_reghandler(SIGALRM, on_timer);
  setitimer(ITIMER_REAL, &soon, NULL);
  GASNET_BLOCKUNTIL(code < 0);
  abort();
}

GASNETT_EXTERNC void on_quit_say(int number);
void on_quit_say(int number) {
  static const char text[] = "a unit hears SIGQUIT\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) > 0) on_quit(number);
}

/* A handler that returns: the program goes on. */
static volatile sig_atomic_t heard;
GASNETT_EXTERNC void on_quit_return(int number);
void on_quit_return(int number) {
  (void)number;
  heard = 1;
}
static void hear_once(void) {
  raise(SIGTERM);
  if (!heard) abort();
}

static void ask_to_exit(int rank) { gex_AM_RequestShort1(all, (gex_Rank_t)rank, HANDLER, 0, code); }

_Noreturn static void poll_for_ever(void) {
  for (;;) gasnet_AMPoll();
}
_Noreturn static void spin_for_ever(void) {
  for (;;) gasnett_compiler_fence();
}
_Noreturn static void wait_for_ever(void) {
  gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED);
  abort();
}

static void *exit_in_thread(void *arg) {
  gasnet_exit(code);
  return arg;
}

/* Twelve times the same error, and one broadcast. */
static void be_counted(gex_EP_t ep) {
  for (int i = 0; i < 12; i++) {
    if (!gex_EP_RegisterHandlers(ep, NULL, 3)) abort();
  }
  long value = 5;
  gex_Event_Wait(gex_Coll_BroadcastNB(all, 0, &value, &value, sizeof value, 0));
}

/* All processes end. */
static int together(const char *how) {
  if (!strcmp(how, "together")) gasnet_exit(code);
  if (!strcmp(how, "return")) return 1;
  if (!strcmp(how, "exit")) exit(code);
  if (!strcmp(how, "handlers")) {
    ask_to_exit((self ^ 1) <= last ? self ^ 1 : self);
    poll_for_ever();
  }
  return 0;
}

/* As the destructor of a static object in C++: runs after GASNet's end. */
static void poll_late(void) {
  printf("polls late\n");
  gasnet_AMPoll();
  printf("comes back\n");
}

/* Only the last process ends. */
static int alone(const char *how) {
  if (!strcmp(how, "alone_return")) {
    if (self == last) return 1;
    wait_for_ever();
  }
  if (!strcmp(how, "alone_barrier")) self == last ? gasnet_exit(code) : wait_for_ever();
  if (!strcmp(how, "alone_spin")) self == last ? gasnet_exit(code) : spin_for_ever();
  if (!strcmp(how, "alone_handler")) {
    if (self == 0) ask_to_exit(last);
    poll_for_ever();
  }
  if (!strcmp(how, "loopback")) {
    if (self == last) ask_to_exit(last);
    poll_for_ever();
  }
  if (!strcmp(how, "signal")) {
    gasnett_reghandler(SIGQUIT, on_quit);
    if (self == last) raise(SIGQUIT);
    wait_for_ever();
  }
  if (!strncmp(how, "SIG", 3)) {
    gasnett_reghandler(SIGQUIT, on_quit);
    if (self == last) get_signal_later(how);
    wait_for_ever();
  }
  if (!strcmp(how, "heard") || !strcmp(how, "second")) {
    gasnett_reghandler(SIGQUIT, on_quit_return);
    if (self != last) wait_for_ever();
    hear_once();
    if (!strcmp(how, "second")) raise(SIGTERM); /* is fatal */
    gasnet_exit(code);
  }
  if (!strcmp(how, "launcher")) { /* the script signals the launcher */
    gasnett_reghandler(SIGQUIT, on_quit_say);
    gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED);
    if (self == 0) fprintf(stderr, "all are up\n");
    poll_for_ever();
  }
  if (!strcmp(how, "unheard")) { /* the client has no handler for it */
    if (self == last) get_signal_later("SIGTERM");
    wait_for_ever();
  }
  if (!strcmp(how, "thread")) {
    pthread_t thread;
    if (self == last) pthread_create(&thread, NULL, exit_in_thread, NULL);
    poll_for_ever();
  }
  if (!strcmp(how, "fatal")) {
    if (self == last) gasnett_fatalerror("the test wants it so");
    wait_for_ever();
  }
  return 0;
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_Segment_t segment;
  gex_AM_Entry_t entry = {HANDLER, (gex_AM_Fn_t)on_message, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_SHORT, 1, NULL, NULL};
  if (argc != 3) return 99;
  const char *how = argv[1];
  code = atoi(argv[2]);
  if (!strcmp(how, "before")) gasnet_exit(code);
  if (!strncmp(how, "late", 4)) atexit(poll_late);
  if (gex_Client_Init(&client, &ep, &all, "EXIT", &argc, &argv, 0)) return 99;
  self = (int)gex_TM_QueryRank(all);
  last = (int)gex_TM_QuerySize(all) - 1;
  if (!strcmp(how, "unattached")) self == last ? gasnet_exit(code) : spin_for_ever();
  if (gex_Segment_Attach(&segment, all, GASNET_PAGESIZE) || gex_EP_RegisterHandlers(ep, &entry, 1)) return 99;
  gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED);
  if (!strcmp(how, "late")) gasnet_exit(code);
  if (!strcmp(how, "late_return")) return code;
  if (!strcmp(how, "counted")) be_counted(ep), gasnet_exit(code);
  if (!together(how) && !alone(how)) return 99;
  return code;
}
