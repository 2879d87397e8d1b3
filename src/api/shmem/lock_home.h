/* The PE that is the home of a lock. */
#ifndef TSR_SHMEM_LOCK_HOME_H
#define TSR_SHMEM_LOCK_HOME_H

#include <stdint.h>

/* `name`: the place of the lock, a multiple of 8. Places at equal distances, as in an array, are spread evenly over the PEs by the
 * fractional parts of multiples of the golden ratio. */
static inline int tsr_shmem_lock_home(uint64_t name, int32_t pes_n) {
  const uint64_t fraction = name / sizeof(long) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  return (int)(fraction * (uint64_t)pes_n >> 32);
}

#endif
