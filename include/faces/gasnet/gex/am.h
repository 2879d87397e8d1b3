/* GASNet-EX: active messages. Part of gasnetex.h. */
#ifndef TESSERA_GEX_AM_H
#define TESSERA_GEX_AM_H

#endif
