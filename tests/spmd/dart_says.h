/* Wrong calls of DART. */
#ifndef DART_SAYS_H
#define DART_SAYS_H

#include "dart_check.h"
#include "says.h"

#define INVAL(call) BAD(DART_ERR_INVAL, call)
#define NOTINIT(call) BAD(DART_ERR_NOTINIT, call)

#endif
