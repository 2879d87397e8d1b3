/* GASNet-EX: locks that handlers may take too, of the threads of one process.
 *
 * Nobody communicates, polls or waits while it holds one, takes one twice, or returns from a handler with one; they are
 * released in the opposite order. TESSERA_CHECK=1 ends the job of whoever does. Programs with one thread (GASNET_SEQ) pay for
 * these checks only. Who does not get a lock sleeps.
 */
#ifndef TSR_GASNET_GEX_HSL_H
#define TSR_GASNET_GEX_HSL_H

#include <gex/near.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gexi_hsl {
  uint32_t word;          /* 0: free, 1: held, 2: and somebody sleeps; or one of the words below */
  uint32_t checked;       /* the same, where the library looks at each call: then `word` does not change */
  const void *holder;     /* the thread then, */
  struct gexi_hsl *below; /* and what it has taken before */
} gex_HSL_t;

enum {
  GEXI_HSL_NEW = 0x4e4557,  /* the library decides who looks after it */
  GEXI_HSL_GONE = 0x474f4e45 /* destroyed */
};
#define GEX_HSL_INITIALIZER {GEXI_HSL_NEW, 0, 0, 0}

/* Without the initialiser, before anything else; and at the end, when nobody holds it. TESSERA_CHECK=1 notices a second one
 * without an end between them of a lock that is held, which ends the job, and of a variable outside of functions, which gets a
 * warning: elsewhere the bytes of a lock may be those of an object that lay there before. */
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
static inline void gex_HSL_Lock(gex_HSL_t *hsl) {
  if (!gexi_hsl_take(hsl)) gexi_hsl_lock(hsl);
}
/* GASNET_OK: the caller holds it now. GASNET_ERR_NOT_READY: another thread does. */
static inline int gex_HSL_Trylock(gex_HSL_t *hsl) { return gexi_hsl_take(hsl) ? GASNET_OK : gexi_hsl_trylock(hsl); }
static inline void gex_HSL_Unlock(gex_HSL_t *hsl) { gexi_hsl_unlock(hsl); }

#endif

#ifdef __cplusplus
}
#endif
#endif
