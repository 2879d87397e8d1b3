/* GASNet tools: macros for compiler and platform, for programs that need nothing else. */
#ifndef TSR_GASNET_PORTABLE_PLATFORM_H
#define TSR_GASNET_PORTABLE_PLATFORM_H

#include <gasnett/platform.h>

#endif
