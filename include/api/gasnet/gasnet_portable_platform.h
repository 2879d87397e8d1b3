/* GASNet tools: what the program is compiled by and for, for programs that want to know nothing else. */
#ifndef TSR_GASNET_PORTABLE_PLATFORM_H
#define TSR_GASNET_PORTABLE_PLATFORM_H

#include <gasnett/platform.h>

#endif
