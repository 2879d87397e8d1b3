/* GASNet tools: arguments of GASNet-EX calls as text. */
#include <gasnett/format.h>

#include <stdio.h>
#include <string.h>

#include "api/gasnet/gasnet_api.h"

enum { HEAD_BYTES = 64, PIECE_BYTES = 48 };

size_t gasnett_format_memveclist_bufsz(size_t count) { return HEAD_BYTES + count * PIECE_BYTES; }
size_t gasnett_format_addrlist_bufsz(size_t count) { return HEAD_BYTES + count * PIECE_BYTES; }
size_t gasnett_format_strides_bufsz(size_t count) { return HEAD_BYTES + count * PIECE_BYTES; }

static char *write_head(char *text, size_t count, size_t bytes) {
  return text + sprintf(text, "%zu piece%s of %zu byte%s together:", count, count == 1 ? "" : "s", bytes,
                        bytes == 1 ? "" : "s");
}

size_t gasnett_format_memveclist(char *text, size_t count, const gex_Memvec_t list[]) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++) bytes += list[i].gex_len;
  char *at = write_head(text, count, bytes);
  for (size_t i = 0; i < count; i++) at += sprintf(at, " %p+%zu", list[i].gex_addr, list[i].gex_len);
  return bytes;
}

size_t gasnett_format_addrlist(char *text, size_t count, void *const list[], size_t bytes_each) {
  char *at = write_head(text, count, count * bytes_each);
  for (size_t i = 0; i < count; i++) at += sprintf(at, " %p", list[i]);
  return count * bytes_each;
}

void gasnett_format_strides(char *text, size_t count, const ptrdiff_t list[]) {
  char *at = text + sprintf(text, "[");
  for (size_t i = 0; i < count; i++) at += sprintf(at, i ? ", %td" : "%td", list[i]);
  strcpy(at, "]");
}

/* ---- Whole transfers ---- */

enum { PEER_BYTES = 32 };

static char *peer_text(char *text, gex_Rank_t peer) { return text + sprintf(text, "peer %u: ", peer); }
static char *end_of(char *text) { return text + strlen(text); }

size_t gasnett_format_putvgetv_bufsz(size_t to_count, size_t from_count) {
  return PEER_BYTES + gasnett_format_memveclist_bufsz(to_count) + gasnett_format_memveclist_bufsz(from_count);
}

size_t gasnett_format_putvgetv(char *text, gex_TM_t team, gex_Rank_t peer, size_t to_count, const gex_Memvec_t to[],
                               size_t from_count, const gex_Memvec_t from[]) {
  (void)team;
  char *at = peer_text(text, peer);
  size_t bytes = gasnett_format_memveclist(at, to_count, to);
  at = strcpy(end_of(at), " from ");
  gasnett_format_memveclist(end_of(at), from_count, from);
  return bytes;
}

size_t gasnett_format_putigeti_bufsz(size_t to_count, size_t from_count) {
  return PEER_BYTES + gasnett_format_addrlist_bufsz(to_count) + gasnett_format_addrlist_bufsz(from_count);
}

size_t gasnett_format_putigeti(char *text, gex_TM_t team, gex_Rank_t peer, size_t to_count, void *const to[], size_t to_bytes,
                               size_t from_count, void *const from[], size_t from_bytes) {
  (void)team;
  char *at = peer_text(text, peer);
  size_t bytes = gasnett_format_addrlist(at, to_count, to, to_bytes);
  at = strcpy(end_of(at), " from ");
  gasnett_format_addrlist(end_of(at), from_count, from, from_bytes);
  return bytes;
}

/* Three lists, two addresses and a size. */
size_t gasnett_format_putsgets_bufsz(size_t levels) {
  return PEER_BYTES + 3 * gasnett_format_strides_bufsz(levels) + 3 * PIECE_BYTES;
}

size_t gasnett_format_putsgets(char *text, void *unused, gex_TM_t team, gex_Rank_t peer, void *to,
                               const ptrdiff_t to_strides[], void *from, const ptrdiff_t from_strides[], size_t element_bytes,
                               const size_t count[], size_t levels) {
  (void)unused, (void)team;
  size_t bytes = element_bytes;
  char *at = peer_text(text, peer);
  at += sprintf(at, "%zu bytes * [", element_bytes);
  for (size_t i = 0; i < levels; i++) {
    at += sprintf(at, i ? ", %zu" : "%zu", count[i]);
    bytes *= count[i];
  }
  at += sprintf(at, "] to %p ", to);
  gasnett_format_strides(at, levels, to_strides);
  at = end_of(at);
  at += sprintf(at, " from %p ", from);
  gasnett_format_strides(at, levels, from_strides);
  return bytes;
}

/* ---- Sets ---- */

static size_t add_word(char *text, size_t at, const char *word) {
  size_t n = strlen(word);
  if (text) memcpy(text + at, word, n + 1);
  return at + n;
}

static const char *ti_name(uint32_t bit) {
  static const char *const names[] = {"SRCRANK", "EP", "ENTRY", "IS_REQ", "IS_LONG"}; /* in the order of the bits */
  return bit <= GEX_TI_IS_LONG ? names[__builtin_ctz(bit)] : NULL;
}

/* Skips bits without a name. */
static size_t name_bits(char *text, uint32_t set, const char *prefix, const char *(*name_of)(uint32_t bit)) {
  size_t at = add_word(text, 0, "");
  for (uint32_t left = set; left; left &= left - 1) {
    const char *name = name_of(left & -left);
    if (!name) continue;
    at = add_word(text, at, at ? "|" : "");
    at = add_word(text, at, prefix);
    at = add_word(text, at, name);
  }
  if (!at) at = add_word(text, at, "0");
  return at + 1;
}

size_t gasnett_format_dt(char *text, gex_DT_t dt) { return name_bits(text, dt, "GEX_DT_", tsr_gex_dt_name); }
size_t gasnett_format_op(char *text, gex_OP_t op) { return name_bits(text, op, "GEX_OP_", tsr_gex_op_name); }
size_t gasnett_format_ti(char *text, gex_TI_t ti) { return name_bits(text, ti, "GEX_TI_", ti_name); }
