/* gasnet_legacy_wrong WHAT: one wrong call of GASNet-1's interface or of the tools, in a program with one thread. */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <gasnet_coll.h>

#include <stdlib.h>
#include <string.h>

/* Before the start, or without a start. */
static void alone(const char *what) {
  if (!strcmp(what, "early")) gasnet_barrier(0, 0);
  if (!strcmp(what, "early team")) gasnet_coll_barrier(GASNET_TEAM_ALL, 0, 0);
  if (!strcmp(what, "number")) gasnett_parse_int("12 apples", 1);
  if (!strcmp(what, "yes")) gasnett_setenv("TEST_OF_WRONG", "perhaps"), gasnett_getenv_yesno_withdefault("TEST_OF_WRONG", 1);
}

static void started(const char *what) {
  int value = 0;
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t all;
  if (gex_Client_Init(&client, &ep, &all, "WRONG", NULL, NULL, 0)) return;
  if (!strcmp(what, "client")) gasnet_put(0, &value, &value, sizeof value);
  if (!strcmp(what, "wait")) gasnet_barrier_wait(0, 0);
  if (!strcmp(what, "try")) gasnet_barrier_try(0, 0);
  if (!strcmp(what, "notify")) gasnet_barrier_notify(0, 0), gasnet_barrier_notify(0, 0);
}

static void locks(const char *what) {
  static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER, second;
  if (!strcmp(what, "lock twice")) gasnet_hsl_lock(&lock), gasnet_hsl_lock(&lock);
  if (!strcmp(what, "try twice") && gasnet_hsl_trylock(&lock) == GASNET_OK) gasnet_hsl_trylock(&lock);
  if (!strcmp(what, "unlock")) gasnet_hsl_lock(&lock), gasnet_hsl_unlock(&lock), gasnet_hsl_unlock(&lock);
  if (!strcmp(what, "init")) gasnet_hsl_init(&second), gasnet_hsl_lock(&second), gasnet_hsl_lock(&second);
  if (!strcmp(what, "destroy")) gasnet_hsl_destroy(&lock), gasnet_hsl_lock(&lock);
}

static void nothing(void *results, size_t result_count, const void *left, size_t left_count, const void *right,
                    size_t elem_size, int flags, int arg) {
  (void)results, (void)result_count, (void)left, (void)left_count, (void)right, (void)elem_size, (void)flags, (void)arg;
}

/* All processes make the same mistake, here and below. */
static void reductions(const char *what) {
  int flags = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_LOCAL, in = 0, out = 0;
  gasnet_coll_fn_entry_t functions[2] = {{nothing, 0}, {NULL, 0}};
  gasnet_image_t images[2] = {1, 3};
  if (!strcmp(what, "images")) gasnet_coll_init(images, gasnet_mynode(), functions, 1, 0);
  if (!strcmp(what, "null")) gasnet_coll_init(NULL, 0, functions, 2, 0);
  if (!strcmp(what, "flags")) gasnet_coll_init(NULL, 0, functions, 1, 4);
  if (!strcmp(what, "early")) gasnet_coll_reduce(GASNET_TEAM_ALL, 0, &out, &in, 0, 0, sizeof in, 1, 0, 0, flags);
  gasnet_coll_init(NULL, 0, functions, 1, 0);
  if (!strcmp(what, "twice")) gasnet_coll_init(NULL, 0, functions, 1, 0);
  if (!strcmp(what, "unknown")) gasnet_coll_reduce(GASNET_TEAM_ALL, 0, &out, &in, 0, 0, sizeof in, 1, 1, 0, flags);
  if (!strcmp(what, "blocks")) gasnet_coll_reduce(GASNET_TEAM_ALL, 0, &out, &in, 4, 1, sizeof in, 1, 0, 0, flags);
  if (!strcmp(what, "none"))
    gasnet_coll_wait_sync(gasnet_coll_reduce_nb(GASNET_TEAM_ALL, 0, &out, &in, 0, 0, sizeof in, 0, 0, 0, flags));
  if (!strcmp(what, "huge"))
    gasnet_coll_wait_sync(gasnet_coll_reduce_nb(GASNET_TEAM_ALL, 0, &out, &in, 0, 0, SIZE_MAX / 2, 4, 0, 0, flags));
}

static void collectives(const char *what) {
  int good = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_ALLSYNC | GASNET_COLL_LOCAL, in = 0, out[2];
  gasnet_image_t root = gasnet_nodes();
  gex_TM_t alone = GEX_TM_INVALID;
  if (!strcmp(what, "root")) gasnet_coll_broadcast(GASNET_TEAM_ALL, out, root, &in, sizeof in, good);
  if (!strcmp(what, "root nb")) gasnet_coll_wait_sync(gasnet_coll_gather_nb(GASNET_TEAM_ALL, root, out, &in, sizeof in, good));
  if (!strcmp(what, "no in")) gasnet_coll_gather_all(GASNET_TEAM_ALL, out, &in, sizeof in, good & ~GASNET_COLL_IN_MYSYNC);
  if (!strcmp(what, "two ins")) gasnet_coll_gather_all(GASNET_TEAM_ALL, out, &in, sizeof in, good | GASNET_COLL_IN_ALLSYNC);
  if (!strcmp(what, "no out")) gasnet_coll_exchange(GASNET_TEAM_ALL, out, out, sizeof in, good & ~GASNET_COLL_OUT_ALLSYNC);
  if (!strcmp(what, "two outs")) gasnet_coll_exchange(GASNET_TEAM_ALL, out, out, sizeof in, good | GASNET_COLL_OUT_MYSYNC);
  if (!strcmp(what, "no place")) gasnet_coll_scatter(GASNET_TEAM_ALL, out, 0, out, sizeof in, good & ~GASNET_COLL_LOCAL);
  if (!strcmp(what, "two places")) gasnet_coll_scatter(GASNET_TEAM_ALL, out, 0, out, sizeof in, good | GASNET_COLL_SINGLE);
  if (!strcmp(what, "no buffer")) gasnet_coll_gather_all(GASNET_TEAM_ALL, NULL, &in, sizeof in, good);
  if (!strcmp(what, "no team")) gasnet_coll_exchange(GEX_TM_INVALID, out, out, sizeof in, good);
  gex_TM_Split(&alone, GASNET_TEAM_ALL, (int)gasnet_mynode(), 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (!strcmp(what, "barrier wait")) gasnet_coll_barrier_wait(alone, 0, 0);
  gasnet_coll_barrier_notify(alone, 0, 0);
  if (!strcmp(what, "barrier notify")) gasnet_coll_barrier_notify(alone, 0, 0);
  if (!strcmp(what, "barrier destroy")) gex_TM_Destroy(alone, NULL, 0);
  gasnet_coll_barrier_wait(alone, 0, 0);
  gex_TM_Destroy(alone, NULL, 0);
  if (!strcmp(what, "barrier")) gasnet_coll_barrier(alone, 0, 0);
}

static void legacy(const char *what) {
  char byte = 0;
  if (gasnet_init(NULL, NULL) || gasnet_attach(NULL, 0, 0, 0)) return;
  if (!strncmp(what, "coll ", 5)) collectives(what + 5);
  if (!strncmp(what, "reduce ", 7)) reductions(what + 7);
  if (!strcmp(what, "rank")) gasnet_put(gasnet_nodes(), &byte, &byte, 1);
  if (!strcmp(what, "place")) gasnet_memset(0, &byte, 0, 1);
  if (!strcmp(what, "value")) gasnet_get_nb_val(0, &byte, 9);
  locks(what);
  if (!strcmp(what, "valget")) gasnet_wait_syncnb_valget(NULL);
}

int main(int argc, char **argv) {
  if (argc != 2) return 99;
  alone(argv[1]);
  if (!strcmp(argv[1], "client") || !strcmp(argv[1], "wait") || !strcmp(argv[1], "try") || !strcmp(argv[1], "notify"))
    started(argv[1]);
  else legacy(argv[1]);
  gasnet_exit(0);
}
