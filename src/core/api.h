/* Interfaces: the interfaces through which a program uses the runtime, several at once. What is made through one is that one's:
 * it goes when the interface goes down, and the others' stays. */
#ifndef TSR_CORE_API_H
#define TSR_CORE_API_H

enum tsr_api { TSR_API_NATIVE, TSR_API_DART, TSR_API_ARMCI, TSR_API_GASNET, TSR_API_SHMEM, TSR_APIS_N };

#endif
