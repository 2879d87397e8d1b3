/* Registration of handlers, the information that they get on their messages, and the limits.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

enum { FIXED = 128, LAST = 255 };

static const char note[] = "a note";
static volatile int came_n;
static gex_AM_Index_t chosen[4];

static void check_info(gex_Token_t token, gex_AM_Index_t index, bool request, bool is_long) {
  gex_Token_Info_t info;
  CHECK(gex_Token_Info(token, &info, GEX_TI_SRCRANK | GEX_TI_EP) & GEX_TI_SRCRANK);
  CHECK_EQ(gex_Token_Info(token, &info, GEX_TI_ALL), GEX_TI_ALL);
  CHECK_EQ(info.gex_srcrank, (self + units_n - 1) % units_n);
  CHECK(info.gex_ep == ep);
  CHECK_EQ(info.gex_is_req, request);
  CHECK_EQ(info.gex_is_long, is_long);
  CHECK_EQ(info.gex_entry->gex_index, index);
  came_n = came_n + 1;
}

/* A reply may be as long as one to any other unit, and have as many arguments. */
static void check_room(gex_Token_t token) {
  static gex_Event_t event;
  const gex_Event_t *const lcs[] = {GEX_EVENT_NOW, &event, NULL};
  gex_Rank_t source = (gex_Rank_t)source_of(token);
  for (size_t lc = 0; lc < LENGTH(lcs); lc++)
    for (unsigned n = 0; n <= gex_AM_MaxArgs(); n++) {
      CHECK_EQ(gex_Token_MaxReplyMedium(token, lcs[lc], 0, n), gex_AM_MaxReplyMedium(all, source, lcs[lc], 0, n));
      CHECK_EQ(gex_Token_MaxReplyLong(token, lcs[lc], 0, n), gex_AM_MaxReplyLong(all, source, lcs[lc], 0, n));
    }
}

static void first(gex_Token_t token, gex_AM_Arg_t index) {
  check_room(token);
  check_info(token, (gex_AM_Index_t)index, true, false);
  gex_Token_Info_t info = info_of(token);
  CHECK(info.gex_entry->gex_fnptr == (gex_AM_Fn_t)first);
  CHECK(info.gex_entry->gex_cdata == note);
  CHECK_EQ(info.gex_entry->gex_nargs, 1);
  CHECK_EQ(info.gex_entry->gex_flags, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST);
  CHECK_EQ(strcmp(info.gex_entry->gex_name, "first"), 0);
}
static void with_data(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t index, gex_AM_Arg_t is_long) {
  check_info(token, (gex_AM_Index_t)index, true, is_long != 0);
  CHECK_EQ(bytes, 0);
  if (is_long) CHECK(buffer == segments[self] + 5);
}
/* A long message without data may have any address. */
static void anywhere(gex_Token_t token, void *buffer, size_t bytes) {
  check_info(token, FIXED, true, true);
  CHECK_EQ(bytes, 0);
  CHECK((uintptr_t)buffer == 12345);
}

static void registration(void) {
  gex_AM_Entry_t fixed = {FIXED, (gex_AM_Fn_t)anywhere, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 0, NULL, NULL};
  gex_AM_Entry_t taken = {LAST - 2, (gex_AM_Fn_t)with_data, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, 2, NULL, NULL};
  gex_AM_Entry_t any = {0, (gex_AM_Fn_t)first, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, note, "first"};
  gex_AM_Entry_t mixed[] = {any, taken, any, any};
  CHECK_EQ(gex_EP_RegisterHandlers(ep, NULL, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, mixed, 4), GASNET_OK);
  CHECK_EQ(mixed[0].gex_index, LAST);
  CHECK_EQ(mixed[1].gex_index, LAST - 2);
  CHECK_EQ(mixed[2].gex_index, LAST - 1);
  CHECK_EQ(mixed[3].gex_index, LAST - 3);
  for (int i = 0; i < 4; i++) chosen[i] = mixed[i].gex_index;
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &fixed, 1), GASNET_OK);

  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &fixed, 1), GASNET_ERR_BAD_ARG); /* in use */
  gex_AM_Entry_t low = any, none = any, many = any, twice[] = {fixed, fixed};
  low.gex_index = 127;
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &low, 1), GASNET_ERR_BAD_ARG);
  none.gex_fnptr = 0;
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &none, 1), GASNET_ERR_BAD_ARG);
  many.gex_nargs = 17;
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &many, 1), GASNET_ERR_BAD_ARG);
  twice[0].gex_index = twice[1].gex_index = 140;
  CHECK_EQ(gex_EP_RegisterHandlers(ep, twice, 2), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, twice, 1), GASNET_OK); /* the rejected table has registered nothing */
  CHECK_EQ(gex_EP_RegisterHandlers(ep, NULL, 1), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_EP_RegisterHandlers(GEX_EP_INVALID, &any, 1), GASNET_ERR_BAD_ARG);
  gex_AM_Entry_t full[123];
  for (int i = 0; i < 123; i++) full[i] = any;
  CHECK_EQ(gex_EP_RegisterHandlers(ep, full, 123), GASNET_ERR_RESOURCE); /* 6 of 128 are in use */
  CHECK_EQ(full[0].gex_index, 0);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, full, 122), GASNET_OK);
  CHECK_EQ(full[0].gex_index, LAST - 4);
  CHECK_EQ(full[121].gex_index, FIXED + 1);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &any, 1), GASNET_ERR_RESOURCE);
  gex_System_SetVerboseErrors(1);
}

static void messages(void) {
  gex_Rank_t to = (gex_Rank_t)((self + 1) % units_n);
  for (int i = 0; i < 4; i++)
    if (i != 1) gex_AM_RequestShort1(all, to, chosen[i], 0, chosen[i]);
  gex_AM_RequestMedium2(all, to, chosen[1], NULL, 0, GEX_EVENT_NOW, 0, chosen[1], 0);
  gex_AM_RequestLong2(all, to, chosen[1], NULL, 0, segments[to] + 5, GEX_EVENT_NOW, 0, chosen[1], 1);
  gex_AM_RequestLong0(all, to, FIXED, NULL, 0, (void *)(uintptr_t)12345, GEX_EVENT_NOW, 0);
  gex_TM_t pair = gex_TM_Pair(ep, 0);
  gex_AM_RequestShort1(pair, to, chosen[0], 0, chosen[0]);
  GASNET_BLOCKUNTIL(came_n == 7);
}

typedef size_t (*limit_fn)(gex_TM_t, gex_Rank_t, const gex_Event_t *, gex_Flags_t, unsigned int);

static void check_limit(limit_fn limit, size_t least) {
  static gex_Event_t event;
  const gex_Event_t *const lcs[] = {GEX_EVENT_NOW, GEX_EVENT_GROUP, &event, NULL};
  CHECK(least >= 512);
  for (size_t lc = 0; lc < LENGTH(lcs); lc++) {
    size_t before = SIZE_MAX;
    for (unsigned n = 0; n <= gex_AM_MaxArgs(); n++) {
      size_t now = limit(all, GEX_RANK_INVALID, lcs[lc], 0, n);
      CHECK(now >= least && now <= before);
      for (gex_Rank_t rank = 0; rank < (gex_Rank_t)units_n; rank++) CHECK(limit(all, rank, lcs[lc], 0, n) >= now);
      CHECK_EQ(limit(gex_TM_Pair(ep, 0), GEX_RANK_INVALID, lcs[lc], 0, n), now);
      CHECK_EQ(limit(all, GEX_RANK_INVALID, lcs[lc], 0, n), now);
      before = now;
    }
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv, NULL, 0, 64);
  registration();
  barrier();
  messages();
  check_limit(gex_AM_MaxRequestMedium, gex_AM_LUBRequestMedium());
  check_limit(gex_AM_MaxReplyMedium, gex_AM_LUBReplyMedium());
  check_limit(gex_AM_MaxRequestLong, gex_AM_LUBRequestLong());
  check_limit(gex_AM_MaxReplyLong, gex_AM_LUBReplyLong());
  return finish();
}
