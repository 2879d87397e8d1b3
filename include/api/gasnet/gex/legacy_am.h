/* GASNet-1: the legacy calls for active messages. Part of gasnet.h.
 *
 *   gasnet_AMRequest{Short,Medium,Long,LongAsync}N(dest, handler, [source_addr, nbytes, [dest_addr,]] arguments...)
 *   gasnet_AMReply{Short,Medium,Long}N(token, handler, [source_addr, nbytes, [dest_addr,]] arguments...)
 *
 * N is 0 to 16. The source may be reused when a call returns, also with LongAsync. All return GASNET_OK. */
#ifndef TSR_GASNET_GEX_LEGACY_AM_H
#define TSR_GASNET_GEX_LEGACY_AM_H

#include <gex/am.h>

/* ---- RequestShort ----
 *
 * Sends a request without data to a node. */

#define gasnet_AMRequestShort0(dest, handler) gex_AM_RequestShort0(gexi_legacy_tm(), dest, handler, 0)
#define gasnet_AMRequestShort1(dest, handler, ...) gex_AM_RequestShort1(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort2(dest, handler, ...) gex_AM_RequestShort2(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort3(dest, handler, ...) gex_AM_RequestShort3(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort4(dest, handler, ...) gex_AM_RequestShort4(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort5(dest, handler, ...) gex_AM_RequestShort5(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort6(dest, handler, ...) gex_AM_RequestShort6(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort7(dest, handler, ...) gex_AM_RequestShort7(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort8(dest, handler, ...) gex_AM_RequestShort8(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort9(dest, handler, ...) gex_AM_RequestShort9(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort10(dest, handler, ...) gex_AM_RequestShort10(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort11(dest, handler, ...) gex_AM_RequestShort11(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort12(dest, handler, ...) gex_AM_RequestShort12(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort13(dest, handler, ...) gex_AM_RequestShort13(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort14(dest, handler, ...) gex_AM_RequestShort14(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort15(dest, handler, ...) gex_AM_RequestShort15(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)
#define gasnet_AMRequestShort16(dest, handler, ...) gex_AM_RequestShort16(gexi_legacy_tm(), dest, handler, 0, __VA_ARGS__)

/* ---- RequestMedium ----
 *
 * Sends a request with `nbytes` bytes of data to a node. The handler gets the data in memory of the library. */

#define gasnet_AMRequestMedium0(dest, handler, source, nbytes) \
  gex_AM_RequestMedium0(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0)
#define gasnet_AMRequestMedium1(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium1(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium2(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium2(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium3(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium3(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium4(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium4(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium5(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium5(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium6(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium6(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium7(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium7(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium8(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium8(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium9(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium9(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium10(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium10(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium11(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium11(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium12(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium12(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium13(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium13(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium14(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium14(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium15(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium15(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestMedium16(dest, handler, source, nbytes, ...) \
  gex_AM_RequestMedium16(gexi_legacy_tm(), dest, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)

/* ---- RequestLong ----
 *
 * Sends a request to a node, with `nbytes` bytes of data that are put to the address `to` of the node before the handler runs. */

#define gasnet_AMRequestLong0(dest, handler, source, nbytes, to) \
  gex_AM_RequestLong0(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0)
#define gasnet_AMRequestLong1(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong1(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong2(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong2(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong3(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong3(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong4(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong4(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong5(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong5(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong6(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong6(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong7(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong7(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong8(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong8(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong9(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong9(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong10(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong10(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong11(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong11(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong12(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong12(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong13(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong13(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong14(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong14(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong15(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong15(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMRequestLong16(dest, handler, source, nbytes, to, ...) \
  gex_AM_RequestLong16(gexi_legacy_tm(), dest, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)

/* ---- ReplyShort ----
 *
 * Replies to a request, in its handler, without data. */

#define gasnet_AMReplyShort0(token, handler) gex_AM_ReplyShort0(token, handler, 0)
#define gasnet_AMReplyShort1(token, handler, ...) gex_AM_ReplyShort1(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort2(token, handler, ...) gex_AM_ReplyShort2(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort3(token, handler, ...) gex_AM_ReplyShort3(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort4(token, handler, ...) gex_AM_ReplyShort4(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort5(token, handler, ...) gex_AM_ReplyShort5(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort6(token, handler, ...) gex_AM_ReplyShort6(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort7(token, handler, ...) gex_AM_ReplyShort7(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort8(token, handler, ...) gex_AM_ReplyShort8(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort9(token, handler, ...) gex_AM_ReplyShort9(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort10(token, handler, ...) gex_AM_ReplyShort10(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort11(token, handler, ...) gex_AM_ReplyShort11(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort12(token, handler, ...) gex_AM_ReplyShort12(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort13(token, handler, ...) gex_AM_ReplyShort13(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort14(token, handler, ...) gex_AM_ReplyShort14(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort15(token, handler, ...) gex_AM_ReplyShort15(token, handler, 0, __VA_ARGS__)
#define gasnet_AMReplyShort16(token, handler, ...) gex_AM_ReplyShort16(token, handler, 0, __VA_ARGS__)

/* ---- ReplyMedium ----
 *
 * Replies to a request, in its handler, with `nbytes` bytes of data. The handler of the reply gets them in memory of the library.
 * */

#define gasnet_AMReplyMedium0(token, handler, source, nbytes) gex_AM_ReplyMedium0(token, handler, source, nbytes, GEX_EVENT_NOW, 0)
#define gasnet_AMReplyMedium1(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium1(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium2(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium2(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium3(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium3(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium4(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium4(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium5(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium5(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium6(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium6(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium7(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium7(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium8(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium8(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium9(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium9(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium10(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium10(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium11(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium11(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium12(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium12(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium13(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium13(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium14(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium14(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium15(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium15(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyMedium16(token, handler, source, nbytes, ...) \
  gex_AM_ReplyMedium16(token, handler, source, nbytes, GEX_EVENT_NOW, 0, __VA_ARGS__)

/* ---- ReplyLong ----
 *
 * Replies to a request, in its handler, with `nbytes` bytes of data that are put to the address `to` of the requesting node before
 * the handler of the reply runs. */

#define gasnet_AMReplyLong0(token, handler, source, nbytes, to) \
  gex_AM_ReplyLong0(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0)
#define gasnet_AMReplyLong1(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong1(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong2(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong2(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong3(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong3(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong4(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong4(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong5(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong5(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong6(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong6(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong7(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong7(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong8(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong8(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong9(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong9(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong10(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong10(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong11(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong11(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong12(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong12(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong13(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong13(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong14(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong14(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong15(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong15(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)
#define gasnet_AMReplyLong16(token, handler, source, nbytes, to, ...) \
  gex_AM_ReplyLong16(token, handler, source, nbytes, to, GEX_EVENT_NOW, 0, __VA_ARGS__)

/* ---- RequestLongAsync ----
 *
 * The same as gasnet_AMRequestLong0 and so on. */

#define gasnet_AMRequestLongAsync0 gasnet_AMRequestLong0
#define gasnet_AMRequestLongAsync1 gasnet_AMRequestLong1
#define gasnet_AMRequestLongAsync2 gasnet_AMRequestLong2
#define gasnet_AMRequestLongAsync3 gasnet_AMRequestLong3
#define gasnet_AMRequestLongAsync4 gasnet_AMRequestLong4
#define gasnet_AMRequestLongAsync5 gasnet_AMRequestLong5
#define gasnet_AMRequestLongAsync6 gasnet_AMRequestLong6
#define gasnet_AMRequestLongAsync7 gasnet_AMRequestLong7
#define gasnet_AMRequestLongAsync8 gasnet_AMRequestLong8
#define gasnet_AMRequestLongAsync9 gasnet_AMRequestLong9
#define gasnet_AMRequestLongAsync10 gasnet_AMRequestLong10
#define gasnet_AMRequestLongAsync11 gasnet_AMRequestLong11
#define gasnet_AMRequestLongAsync12 gasnet_AMRequestLong12
#define gasnet_AMRequestLongAsync13 gasnet_AMRequestLong13
#define gasnet_AMRequestLongAsync14 gasnet_AMRequestLong14
#define gasnet_AMRequestLongAsync15 gasnet_AMRequestLong15
#define gasnet_AMRequestLongAsync16 gasnet_AMRequestLong16

#endif
