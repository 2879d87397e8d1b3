/* GASNet-EX: locks that handlers may take. Part of gasnetex.h. */
#ifndef TESSERA_GEX_HSL_H
#define TESSERA_GEX_HSL_H

#endif
