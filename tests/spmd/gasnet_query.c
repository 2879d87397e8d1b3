/* GASNet-EX: queries of the processes that share memory or a host, and of their numbers.
 * Group: gasnet_calls
 */
#include "gasnet_check.h"

static void one(gex_RankInfo_t *list, gex_Rank_t n, gex_Rank_t place) {
  CHECK(n > 0 && n <= units_n && place < n);
  CHECK_EQ(list[place].gex_jobrank, self);
  for (gex_Rank_t i = 1; i < n; i++) CHECK(list[i - 1].gex_jobrank < list[i].gex_jobrank);
}

int main(int argc, char **argv) {
  gex_RankInfo_t *near = NULL, *host = NULL, *again = NULL;
  gex_Rank_t near_n = 0, near_self = 0, host_n = 0, host_self = 0;
  gex_Rank_t nears = 0, my_near = 99, hosts = 0, my_host = 99;
  start(&argc, &argv);
  gex_System_QueryNbrhdInfo(&near, &near_n, &near_self);
  gex_System_QueryHostInfo(&host, &host_n, &host_self);
  gex_System_QueryNbrhdInfo(&again, NULL, NULL);
  CHECK(again == near);
  one(near, near_n, near_self);
  one(host, host_n, host_self);
  CHECK(near_n <= host_n);
  for (gex_Rank_t i = 0; i < near_n; i++) {
    bool found = false;
    for (gex_Rank_t j = 0; j < host_n; j++) found |= host[j].gex_jobrank == near[i].gex_jobrank;
    CHECK(found);
  }
  gex_System_QueryMyPosition(&nears, &my_near, &hosts, &my_host);
  CHECK(my_near < nears && my_host < hosts && hosts <= nears && nears <= units_n);
  CHECK_EQ(nears, tessera_nodes());
  CHECK_EQ(my_near, tessera_node());
  gex_System_QueryMyPosition(NULL, NULL, NULL, NULL);
  gex_System_QueryNbrhdInfo(NULL, NULL, NULL);
  CHECK_EQ(gex_System_GetVerboseErrors(), 1);
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_System_GetVerboseErrors(), 0);
  gex_System_SetVerboseErrors(1);
  return finish();
}
