/* Words on which processes and threads sleep, and the kernel's part in that. */
#ifndef TSR_BASE_FUTEX_H
#define TSR_BASE_FUTEX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint32_t tsr_word;

#define TSR_UNTIMED UINT64_MAX

/* Sleeps while *word == expected, until woken or timeout_ns passed. Shared between processes. May return early. */
void tsr_futex_wait(tsr_word *word, uint32_t expected, uint64_t timeout_ns);
/* Wakes up to that many sleepers, those first that have slept longest; returns their number. */
int tsr_futex_wake(tsr_word *word, int sleepers_n);

/* The same on two words: sleeps while both are as expected. Linux 5.16; ask first. */
bool tsr_futex_has_pairs(void);
void tsr_futex_wait_pair(tsr_word *const words[2], const uint32_t expected[2], uint64_t timeout_ns);

#endif
