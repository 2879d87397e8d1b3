/* GASNet-EX: handler-safe locks, which handlers may take, too. They are for the threads of one process.
 *
 * A thread that holds such a lock must not communicate, poll or wait, must not take the same lock again, and must not
 * return from a handler with it; it releases locks in the opposite order. TESSERA_CHECK=1 ends the job on a
 * violation. In programs with one thread (GASNET_SEQ) the locks do these checks only. A thread that does not get a
 * lock sleeps. */
#ifndef TSR_GASNET_GEX_HSL_H
#define TSR_GASNET_GEX_HSL_H

#include <gex/near.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gexi_hsl {
  uint32_t word;          /* 0: free, 1: held, 2: held, and a thread sleeps; or one of the values below */
  uint32_t checked;       /* the same, if the library checks each call of the lock; `word` does not change then */
  const void *holder;     /* the thread that holds the lock, if checked */
  struct gexi_hsl *below; /* the lock that this thread took before */
} gex_HSL_t;

enum {
  GEXI_HSL_NEW = 0x4e4557,  /* the library decides at the first call whether it is checked */
  GEXI_HSL_GONE = 0x474f4e45 /* destroyed */
};
#define GEX_HSL_INITIALIZER {GEXI_HSL_NEW, 0, 0, 0}

/* gex_HSL_Init initialises a lock without the initialiser, before any other use; gex_HSL_Destroy ends a lock that no
 * thread holds. TESSERA_CHECK=1 detects a second gex_HSL_Init without a gex_HSL_Destroy in between: it ends the job if
 * the lock is held, and warns if the lock is a variable outside of functions. It cannot detect other cases, because the
 * bytes of a lock may be those of an earlier object at that address. */
void gex_HSL_Init(gex_HSL_t *hsl);
void gex_HSL_Destroy(gex_HSL_t *hsl);

void gexi_hsl_lock(gex_HSL_t *hsl);
int gexi_hsl_trylock(gex_HSL_t *hsl);
void gexi_hsl_unlock(gex_HSL_t *hsl);

#if defined(GASNET_SEQ)

static inline void gex_HSL_Lock(gex_HSL_t *hsl) {
  if (hsl->word) gexi_hsl_lock(hsl);
}
static inline int gex_HSL_Trylock(gex_HSL_t *hsl) { return hsl->word ? gexi_hsl_trylock(hsl) : GASNET_OK; }
static inline void gex_HSL_Unlock(gex_HSL_t *hsl) {
  if (hsl->word) gexi_hsl_unlock(hsl);
}

#else

static inline int gexi_hsl_take(gex_HSL_t *hsl) {
  uint32_t open = 0;
  return __atomic_compare_exchange_n(&hsl->word, &open, 1u, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
/* Returns when the caller holds the lock. */
static inline void gex_HSL_Lock(gex_HSL_t *hsl) {
  if (!gexi_hsl_take(hsl)) gexi_hsl_lock(hsl);
}
/* Takes the lock if it is free. GASNET_OK: the caller now holds the lock. GASNET_ERR_NOT_READY: another thread holds it. */
static inline int gex_HSL_Trylock(gex_HSL_t *hsl) { return gexi_hsl_take(hsl) ? GASNET_OK : gexi_hsl_trylock(hsl); }
/* Releases a lock that the caller holds. */
static inline void gex_HSL_Unlock(gex_HSL_t *hsl) { gexi_hsl_unlock(hsl); }

#endif

#ifdef __cplusplus
}
#endif
#endif
