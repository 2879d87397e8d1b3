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

/* Sets of types, operations, and fields of gex_Token_Info_t: "GEX_DT_I32|GEX_DT_DBL". Return the bytes that the text needs; a
 * NULL text is not written. */
size_t gasnett_format_dt(char *text, gex_DT_t dt);
size_t gasnett_format_op(char *text, gex_OP_t op);
size_t gasnett_format_ti(char *text, gex_TI_t ti);

#ifdef __cplusplus
}
#endif
#endif
