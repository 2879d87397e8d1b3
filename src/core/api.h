/* The interfaces through which a program uses the runtime; it may use several at once. An object belongs to the interface through
 * which it was made: it is freed when that interface ends, and the objects of other interfaces stay. */
#ifndef TSR_CORE_API_H
#define TSR_CORE_API_H

enum tsr_api { TSR_API_NATIVE, TSR_API_DART, TSR_API_ARMCI, TSR_API_GASNET, TSR_API_SHMEM, TSR_APIS_N };

#endif
