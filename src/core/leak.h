/* A check of TESSERA_CHECK=1: what the program has not given back when it ends an interface. */
#ifndef TSR_CORE_LEAK_H
#define TSR_CORE_LEAK_H

#include <stdbool.h>

#include "core/api.h"

/* Warns of the teams, segments and local memory of this interface that still exist, and at the end of the last interface of the
 * handles of all. The first member of a team reports what all its members have. `name`: of the interface. GASNet and OpenSHMEM
 * are left out: their specifications let the end give everything back. */
void tsr_leak_report(enum tsr_api api, const char *name, bool is_last);

#endif
