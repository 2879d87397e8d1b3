/* Handler-safe locks in a program with one thread, by their new names and their old ones.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

static gex_HSL_t first = GEX_HSL_INITIALIZER;
static gasnet_hsl_t old_first = GASNET_HSL_INITIALIZER;
static volatile int came_n;

static void take(gex_Token_t token) {
  (void)token;
  gex_HSL_Lock(&first);
  gasnet_hsl_lock(&old_first);
  came_n = came_n + 1;
  gasnet_hsl_unlock(&old_first);
  gex_HSL_Unlock(&first);
}

static void hold_old(void) {
  gasnet_hsl_t second;
  gasnet_hsl_init(&second);
  for (int i = 0; i < 3; i++) {
    gasnet_hsl_lock(&old_first);
    CHECK_EQ(gasnet_hsl_trylock(&second), GASNET_OK);
    CHECK_EQ(gex_System_QueryJobRank(), self);
    gasnet_hsl_unlock(&second);
    gasnet_hsl_unlock(&old_first);
  }
  gasnet_hsl_destroy(&second);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {{200, (gex_AM_Fn_t)take, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL}};
  start(&argc, &argv, table, 1, 0);
  gex_HSL_t second;
  gex_HSL_Init(&second);
  for (int i = 0; i < 3; i++) {
    gex_HSL_Lock(&first);
    gex_HSL_Lock(&second);
    CHECK_EQ(gex_System_QueryJobRank(), self);
    CHECK_EQ(gex_TM_QuerySize(all), units_n);
    gex_HSL_Unlock(&second);
    gex_HSL_Unlock(&first);
    CHECK_EQ(gex_HSL_Trylock(&second), GASNET_OK);
    gex_HSL_Unlock(&second);
  }
  gex_HSL_Destroy(&second);
  hold_old();
  for (int to = 0; to < units_n; to++) gex_AM_RequestShort0(all, (gex_Rank_t)to, 200, 0);
  GASNET_BLOCKUNTIL(came_n == units_n);
  return finish();
}
