/* Common parts of the GASNet tools. */
#ifndef TSR_API_GASNET_TOOLS_H
#define TSR_API_GASNET_TOOLS_H

#include <stdbool.h>
#include <stdint.h>

/* As gasnett_parse_int. False: the text is not a number. */
bool tsr_gex_parse_int(const char *text, uint64_t unit, int64_t *number);

/* Whether GASNET_FREEZE_ON_ERROR is set. */
bool tsr_gex_freezes_on_error(void);

#endif
