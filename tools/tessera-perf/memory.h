/* Memory of unit 0 after the start, as the kernel counts it. For tessera-perf and the peers. */
#ifndef PERF_MEMORY_H
#define PERF_MEMORY_H

#include "harness.h"

extern const struct perf_work memory_works[];

#endif
