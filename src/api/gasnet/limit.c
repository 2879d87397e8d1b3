#include "api/gasnet/limit.h"

#include <ctype.h>
#include <gex/segment.h>
#include <strings.h>

#include "base/config.h"
#include "base/log.h"
#include "core/agree.h"
#include "core/place.h"
#include "api/gasnet/gasnet_api.h"
#include "node/topology.h"

enum { PAGE_BYTES = 4096 /* GASNET_PAGESIZE */ };

static uintptr_t local_bytes, global_bytes;

/* ---- GASNET_MAX_SEGSIZE: "AMOUNT" or "AMOUNT/P" for each process, "AMOUNT/H" for a host. An amount is a number of
 * bytes with K, M, G or T and an optional B, or a fraction of the host's memory ("0.85", "85%") ---- */

static double unit_of(const char **text) {
  static const char letters[] = "KMGT";
  double bytes = 1;
  for (const char *letter = letters; *letter; letter++) {
    bytes *= 1024;
    if (toupper((unsigned char)**text) != *letter) continue;
    ++*text;
    if (toupper((unsigned char)**text) == 'B') ++*text;
    return bytes;
  }
  return 1;
}

static bool parse_amount(const char *text, double host_bytes, double processes_n, double *bytes) {
  char *end;
  double amount = strtod(text, &end);
  const char *rest = end;
  if (rest == text || !(amount > 0)) return false;
  if (*rest == '%') amount = amount / 100 * host_bytes, rest++;
  else if (amount < 1) amount *= host_bytes;
  else amount *= unit_of(&rest);
  bool per_host = strcasecmp(rest, "/H") == 0;
  *bytes = per_host ? amount / processes_n : amount;
  return per_host || !*rest || strcasecmp(rest, "/P") == 0;
}

/* The limit for one process that the user has set. */
static double allowed_bytes(void) {
  static const char name[] = "GASNET_MAX_SEGSIZE";
  double bytes, most = 9e18;
  const char *text = tsr_config_foreign_text(name);
  if (!text || !*text) return most;
  if (parse_amount(text, (double)tsr_topology_memory_total(), tsr_place_local_units(), &bytes)) return bytes;
  tsr_warn("TSR-4136 %s=%.80s is ignored; set it to an amount such as 512MB or 0.85, optionally with /P (each process) or /H "
           "(host)", name, text);
  return most;
}

/* ---- Limits ---- */

void tsr_gex_limits_start(void) {
  /* Programs attach as much as they may; the library, other interfaces and local allocations need some, too. */
  double share = 0.85 * (double)tsr_heap_room(tsr_place_local_units()), most = allowed_bytes();
  local_bytes = (uintptr_t)(share < most ? share : most) / PAGE_BYTES * PAGE_BYTES;
  int64_t v[1] = {-(int64_t)local_bytes};
  tsr_agree_max(tsr_team_world, v, 1);
  global_bytes = (uintptr_t)-v[0];
}

uintptr_t tsr_gex_limit_local(void) { return local_bytes; }

uintptr_t gasnet_getMaxLocalSegmentSize(void) {
  tsr_gex_check_up("gasnet_getMaxLocalSegmentSize");
  return local_bytes;
}

uintptr_t gasnet_getMaxGlobalSegmentSize(void) {
  tsr_gex_check_up("gasnet_getMaxGlobalSegmentSize");
  return global_bytes;
}
