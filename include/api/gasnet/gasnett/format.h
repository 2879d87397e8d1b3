/* GASNet tools: what calls of GASNet-EX take, in words. Part of gasnet_tools.h where gasnetex.h was included before.
 *
 * A text needs as many bytes as the function of the same name with _bufsz says. Lists are told with the number of their bytes,
 * which is returned.
 */
#ifndef TSR_GASNETT_FORMAT_H
#define TSR_GASNETT_FORMAT_H

#include <gasnet_fwd.h>
#include <gex/am.h>

#ifdef __cplusplus
extern "C" {
#endif

size_t gasnett_format_memveclist_bufsz(size_t count);
size_t gasnett_format_memveclist(char *text, size_t count, const gex_Memvec_t list[]);
size_t gasnett_format_addrlist_bufsz(size_t count);
size_t gasnett_format_addrlist(char *text, size_t count, void *const list[], size_t bytes_each);
size_t gasnett_format_strides_bufsz(size_t count);
void gasnett_format_strides(char *text, size_t count, const ptrdiff_t list[]);

/* Whole transfers, with the lists of both sides; `peer` is by its rank in the team. They return the bytes that are moved.
 * `unused` is NULL. */
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

/* Sets of types, operations, and fields of gex_Token_Info_t: "GEX_DT_I32|GEX_DT_DBL". Return the bytes that the text needs; a
 * NULL text is not written. */
size_t gasnett_format_dt(char *text, gex_DT_t dt);
size_t gasnett_format_op(char *text, gex_OP_t op);
size_t gasnett_format_ti(char *text, gex_TI_t ti);

#ifdef __cplusplus
}
#endif
#endif
