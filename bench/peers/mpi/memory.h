/* Memory of a process that has done no more than start its MPI. */
#include "../../../tools/tessera-perf/memory.c"
