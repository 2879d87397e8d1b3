/* Handler-safe locks. The first call on a new lock decides whether it is checked. With TESSERA_CHECK=1 its word stays
 * GEXI_HSL_NEW, so that the inline functions always call the library, which knows the holder. Else it becomes 0, and
 * the inline functions take a free lock themselves. */
#include <dlfcn.h>

#include "base/log.h"
#include "base/wait.h"
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"

static tsr_word *as_word(uint32_t *word) { return (tsr_word *)word; }

static uint32_t word_of(gex_HSL_t *hsl) { return atomic_load_explicit(as_word(&hsl->word), memory_order_relaxed); }

/* Whether this lock is checked. An invalid lock ends the job. */
static bool is_checked(const char *call, gex_HSL_t *hsl) {
  uint32_t word = word_of(hsl);
  if (word == GEXI_HSL_NEW && !tsr_config_check()) {
    atomic_compare_exchange_strong(as_word(&hsl->word), &word, 0);
    return false;
  }
  if (word > 2 && word != GEXI_HSL_NEW)
    tsr_gex_die("TSR-4096 %s: the lock at %p %s; initialise it with GEX_HSL_INITIALIZER or gex_HSL_Init", call, (void *)hsl,
                word == GEXI_HSL_GONE ? "is destroyed" : "was never initialised");
  return word == GEXI_HSL_NEW;
}

/* A thread is identified by the address of its tsr_gex_thread. */
static const void *holder_of(gex_HSL_t *hsl) { return __atomic_load_n(&hsl->holder, __ATOMIC_RELAXED); }

static void check_not_held(const char *call, gex_HSL_t *hsl) {
  if (holder_of(hsl) == &tsr_gex_thread)
    tsr_gex_die("TSR-4097 %s: the calling thread holds the lock at %p already; release it with gex_HSL_Unlock", call,
                (void *)hsl);
}

static void note_taken(gex_HSL_t *hsl) {
  __atomic_store_n(&hsl->holder, (const void *)&tsr_gex_thread, __ATOMIC_RELAXED);
  hsl->below = tsr_gex_thread.held;
  tsr_gex_thread.held = hsl;
}

void gex_HSL_Init(gex_HSL_t *hsl) {
  if (tsr_config_check() && word_of(hsl) == GEXI_HSL_NEW) {
    if (holder_of(hsl) && (hsl->checked == 1 || hsl->checked == 2))
      tsr_gex_die("TSR-4098 %s: a thread holds the lock at %p, which is initialised already; initialise it once", __func__,
                  (void *)hsl);
    Dl_info object; /* only static memory is certain: other memory may contain a lock of a freed object */
    if (dladdr(hsl, &object))
      tsr_warn("TSR-4099 %s: the lock at %p is initialised already, by GEX_HSL_INITIALIZER or gex_HSL_Init, and not destroyed "
               "since; initialise it once", __func__, (void *)hsl);
  }
  *hsl = (gex_HSL_t)GEX_HSL_INITIALIZER;
}

void gex_HSL_Destroy(gex_HSL_t *hsl) {
  is_checked(__func__, hsl);
  if (holder_of(hsl) || (word_of(hsl) != GEXI_HSL_NEW && word_of(hsl)))
    tsr_gex_die("TSR-4100 %s: a thread holds the lock at %p; release it first", __func__, (void *)hsl);
  hsl->word = GEXI_HSL_GONE;
}

void gexi_hsl_lock(gex_HSL_t *hsl) {
  static const char call[] = "gex_HSL_Lock";
  if (!is_checked(call, hsl)) {
    tsr_word_lock(as_word(&hsl->word));
    return;
  }
  check_not_held(call, hsl);
  tsr_word_lock(as_word(&hsl->checked));
  note_taken(hsl);
}

int gexi_hsl_trylock(gex_HSL_t *hsl) {
  static const char call[] = "gex_HSL_Trylock";
  if (!is_checked(call, hsl)) return tsr_word_trylock(as_word(&hsl->word)) ? GASNET_OK : GASNET_ERR_NOT_READY;
  check_not_held(call, hsl);
  if (!tsr_word_trylock(as_word(&hsl->checked))) return GASNET_ERR_NOT_READY;
  note_taken(hsl);
  return GASNET_OK;
}

void gexi_hsl_unlock(gex_HSL_t *hsl) {
  static const char call[] = "gex_HSL_Unlock";
  if (!is_checked(call, hsl)) {
    if (!word_of(hsl)) tsr_gex_die("TSR-4101 %s: no thread holds the lock at %p; lock it first", call, (void *)hsl);
    tsr_word_unlock(as_word(&hsl->word));
    return;
  }
  if (holder_of(hsl) != &tsr_gex_thread)
    tsr_gex_die("TSR-4102 %s: the calling thread does not hold the lock at %p; unlock in the thread that locked", call,
                (void *)hsl);
  if (tsr_gex_thread.held != hsl)
    tsr_gex_die("TSR-4103 %s: the calling thread has taken another lock after the one at %p; release them in the opposite "
                "order", call, (void *)hsl);
  tsr_gex_thread.held = hsl->below;
  __atomic_store_n(&hsl->holder, NULL, __ATOMIC_RELAXED);
  tsr_word_unlock(as_word(&hsl->checked));
}
