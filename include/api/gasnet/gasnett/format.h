/* GASNet tools: arguments of GASNet-EX calls as text. Part of gasnet_tools.h if gasnetex.h was included before.
 *
 * The buffer for a text needs as many bytes as the function of the same name with _bufsz returns. Functions for lists
 * print the number of bytes of the list, and return it. */
#ifndef TSR_GASNETT_FORMAT_H
#define TSR_GASNETT_FORMAT_H

#include <gasnet_fwd.h>
#include <gex/am.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Print lists: of pieces, of addresses of pieces of one length, and of strides. */
size_t gasnett_format_memveclist_bufsz(size_t count);
size_t gasnett_format_memveclist(char *text, size_t count, const gex_Memvec_t list[]);
size_t gasnett_format_addrlist_bufsz(size_t count);
size_t gasnett_format_addrlist(char *text, size_t count, void *const list[], size_t bytes_each);
size_t gasnett_format_strides_bufsz(size_t count);
void gasnett_format_strides(char *text, size_t count, const ptrdiff_t list[]);

/* Print whole transfers, with the lists of both sides; `peer` is a rank in the team. They return the number of bytes
 * that are moved. `unused` is NULL. */
size_t gasnett_format_putvgetv_bufsz(size_t to_count, size_t from_count);
size_t gasnett_format_putvgetv(char *text, gex_TM_t team, gex_Rank_t peer, size_t to_count, const gex_Memvec_t to[],
                               size_t from_count, const gex_Memvec_t from[]);
size_t gasnett_format_putigeti_bufsz(size_t to_count, size_t from_count);
size_t gasnett_format_putigeti(char *text, gex_TM_t team, gex_Rank_t peer, size_t to_count, void *const to[], size_t to_bytes,
                               size_t from_count, void *const from[], size_t from_bytes);
size_t gasnett_format_putsgets_bufsz(size_t levels);
size_t gasnett_format_putsgets(char *text, void *unused, gex_TM_t team, gex_Rank_t peer, void *to,
                               const ptrdiff_t to_strides[], void *from, const ptrdiff_t from_strides[], size_t element_bytes,
                               const size_t count[], size_t levels);

/* Print sets of types, operations, and members of gex_Token_Info_t: "GEX_DT_I32|GEX_DT_DBL". They return the number
 * of bytes that the text needs; if the text is NULL, nothing is printed. */
size_t gasnett_format_dt(char *text, gex_DT_t dt);
size_t gasnett_format_op(char *text, gex_OP_t op);
size_t gasnett_format_ti(char *text, gex_TI_t ti);

#ifdef __cplusplus
}
#endif
#endif
