/* Puts and gets of values, from and to variables of the library. */
#include <gex/rma.h>
#include <string.h>

#include "api/gasnet/rma.h"

/* The address of the low bytes of a value. */
static void *low_bytes(gex_RMA_Value_t *value, size_t bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return (char *)value + sizeof *value - bytes;
#else
  (void)bytes;
  return value;
#endif
}

/* A value is not in a segment. */
static gex_Flags_t without_self(gex_Flags_t flags) { return flags & ~GEX_FLAG_SELF_SEG_OFFSET; }

static void check_size(const char *call, size_t bytes) {
  if (!bytes || bytes > sizeof(gex_RMA_Value_t))
    tsr_gex_die("TSR-4152 %s: %zu bytes; a value has 1 to %zu, use a put or get of memory for more", call, bytes,
                sizeof(gex_RMA_Value_t));
}

static struct tsr_gex_transfer put_of(const char *call, gex_RMA_Value_t *value, size_t bytes) {
  check_size(call, bytes);
  return (struct tsr_gex_transfer){.call = call, .local_addr = low_bytes(value, bytes), .bytes = bytes, .waits = true};
}

int gexi_put_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes, gex_Flags_t flags) {
  flags = without_self(flags);
  struct tsr_gex_transfer put = put_of("gex_RMA_PutBlockingVal", &value, bytes);
  return tsr_gex_transfer_check(&put, tm, rank, dest, flags) && !tsr_gex_transfer_run(&put, flags);
}

gex_Event_t gexi_put_value_nb(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes,
                              gex_Flags_t flags) {
  flags = without_self(flags);
  struct tsr_gex_transfer put = put_of("gex_RMA_PutNBVal", &value, bytes);
  return tsr_gex_put_nb(&put, tm, rank, dest, GEX_EVENT_NOW, flags);
}

int gexi_put_value_nbi(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes, gex_Flags_t flags) {
  flags = without_self(flags);
  struct tsr_gex_transfer put = put_of("gex_RMA_PutNBIVal", &value, bytes);
  return tsr_gex_put_nbi(&put, tm, rank, dest, GEX_EVENT_NOW, flags);
}

gex_RMA_Value_t gexi_get_value(gex_TM_t tm, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags) {
  static const char call[] = "gex_RMA_GetBlockingVal";
  check_size(call, bytes);
  gex_RMA_Value_t value = 0;
  flags = without_self(flags);
  struct tsr_gex_transfer get = {call, .local_addr = low_bytes(&value, bytes), .bytes = bytes, .get = true,
                                 .waits = true};
  if (tsr_gex_transfer_check(&get, tm, rank, src, flags)) tsr_gex_transfer_run(&get, flags & ~GEX_FLAG_IMMEDIATE);
  return value;
}
