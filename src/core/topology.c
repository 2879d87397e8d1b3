#include "core/topology.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/status.h"
#include "core/handlers.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"

/* A topology as it travels: this, the CPUs, the placements. */
struct packed {
  struct tsr_machine machine;
  int32_t placements_n;
};
enum {
  PACKED_BYTES_MAX = sizeof(struct packed) + TSR_CPUS_MAX * sizeof(struct tsr_cpu) +
                     TSR_NODE_UNITS_MAX * sizeof(struct tsr_placement),
  FETCHES_N = 16 /* replies under way at once: each takes that much memory */
};
_Static_assert(PACKED_BYTES_MAX <= 64 << 10, "a topology fits in the smallest reply that may be configured");

static size_t packed_bytes(const struct packed *packed) {
  return sizeof *packed + (size_t)packed->machine.cpus_n * sizeof(struct tsr_cpu) +
         (size_t)packed->placements_n * sizeof(struct tsr_placement);
}

/* A topology that this process knows, kept until the end of the job: first as the program sees it, then as it came. */
struct known {
  struct tsr_topology topology;
  struct packed packed;
};
enum { KNOWN_BYTES_MAX = offsetof(struct known, packed) + PACKED_BYTES_MAX };

/* Gives back the room that it did not need. */
static const struct tsr_topology *shrink_known(struct known *known) {
  struct known *cut = realloc(known, offsetof(struct known, packed) + packed_bytes(&known->packed));
  if (cut) known = cut;
  const struct tsr_cpu *cpus = (const struct tsr_cpu *)(&known->packed + 1);
  known->topology = (struct tsr_topology){&known->packed.machine, cpus,
                                          (const struct tsr_placement *)(cpus + known->packed.machine.cpus_n),
                                          known->packed.placements_n};
  return &known->topology;
}

/* Placements */

static bool may_use(const struct tsr_cpu_set *set, int os) {
  return atomic_load_explicit(&set->word[os / 64], memory_order_relaxed) >> os % 64 & 1;
}

static bool same_set(const struct tsr_cpu_set *one, const struct tsr_cpu_set *other) {
  for (int i = 0; i < TSR_CPUS_MAX / 64; i++) {
    if (atomic_load_explicit(&one->word[i], memory_order_relaxed) !=
        atomic_load_explicit(&other->word[i], memory_order_relaxed))
      return false;
  }
  return true;
}

/* How many cores a unit may run on. */
static int count_cores(const struct tsr_machine *machine, const struct tsr_cpu cpus[], const struct tsr_cpu_set *set) {
  bool counted[TSR_CPUS_MAX] = {false};
  int n = 0;
  for (int i = 0; i < machine->cpus_n; i++) {
    bool more = may_use(set, cpus[i].os) && !counted[cpus[i].core];
    n += more;
    if (more) counted[cpus[i].core] = true;
  }
  return n;
}

/* The allowed CPU whose core has the fewest units; of equals the one it started on, then the first. */
static int choose_cpu(const struct tsr_machine *machine, const struct tsr_cpu cpus[], const struct tsr_cpu_set *set,
                      int started_on, const int load[]) {
  int best = -1;
  for (int i = 0; i < machine->cpus_n; i++) {
    if (!may_use(set, cpus[i].os)) continue;
    int less = best < 0 ? 1 : load[cpus[best].core] - load[cpus[i].core];
    if (less > 0 || (less == 0 && cpus[i].os == started_on)) best = i;
  }
  return best >= 0 ? best : 0; /* a unit on none of the CPUs that we know */
}

void tsr_topology_place(const struct tsr_machine *machine, const struct tsr_cpu cpus[], int32_t placements_n,
                        struct tsr_placement placements[], const struct tsr_cpu_set *const allowed[],
                        const int32_t started_on[]) {
  int load[TSR_CPUS_MAX] = {0}; /* units by core */
  for (int32_t i = 0; i < placements_n; i++) {
    int cpu = choose_cpu(machine, cpus, allowed[i], started_on[i], load), sharers_n = 0;
    load[cpus[cpu].core]++;
    for (int32_t j = 0; j < placements_n; j++) sharers_n += same_set(allowed[i], allowed[j]);
    int cores_n = count_cores(machine, cpus, allowed[i]) / sharers_n;
    placements[i].cpu = (int16_t)cpu;
    placements[i].cores_n = (int16_t)(cores_n > 0 ? cores_n : 1);
  }
}

/* The own topology */

static struct known *describe_own(void) {
  const uint32_t units_n = tsr_place_local_units();
  struct tsr_cpu *cpus = malloc(TSR_CPUS_MAX * sizeof *cpus);
  struct known *known = calloc(1, KNOWN_BYTES_MAX);
  const struct tsr_cpu_set **allowed = malloc(units_n * sizeof *allowed);
  int32_t *started_on = malloc(units_n * sizeof *started_on);
  if (!cpus || !known || !allowed || !started_on)
    tsr_abort(EXIT_FAILURE, "TSR-0395 no private memory for a description of this host; " TSR_REMEDY_MEMORY);
  struct tsr_machine *machine = &known->packed.machine;
  tsr_machine_read((enum tsr_machine_source)tsr_config.topology, machine, cpus);
  known->packed.placements_n = (int32_t)units_n;
  struct tsr_cpu *to = (struct tsr_cpu *)(&known->packed + 1);
  struct tsr_placement *placements = (struct tsr_placement *)(to + machine->cpus_n);
  memcpy(to, cpus, (size_t)machine->cpus_n * sizeof *cpus);
  /* Other units may not have stored their numbers in the node's memory yet. */
  for (int32_t unit = (int32_t)tsr_place.first, found_n = 0; found_n < (int32_t)units_n; unit++) {
    int32_t local = tsr_place_local(TSR_UNIT(unit));
    if (local < 0) continue;
    found_n++;
    placements[local].unit = unit;
    allowed[local] = &tsr_heap_unit((uint32_t)local)->cpus;
    started_on[local] = tsr_heap_unit((uint32_t)local)->cpu;
  }
  tsr_topology_place(machine, cpus, (int32_t)units_n, placements, allowed, started_on);
  free(started_on);
  free(allowed);
  free(cpus);
  return known;
}

/* All topologies */

/* By node; NULL: not known. Threads that fetch the same one at the same time all get it, and the first one's is
 * kept: so no lock is held during a wait for an answer. */
typedef const struct tsr_topology *_Atomic slot;
static slot *_Atomic topologies;

/* NULL: no memory. */
static slot *topology_slots(void) {
  slot *list = atomic_load(&topologies);
  if (list) return list;
  slot *made = calloc((size_t)tsr_place.nodes_n, sizeof *made);
  if (!made || atomic_compare_exchange_strong(&topologies, &list, made)) return made;
  free(made);
  return list;
}

static void keep_topology(int32_t node, struct known *made) {
  const struct tsr_topology *unknown = NULL, *topology = shrink_known(made);
  if (!atomic_compare_exchange_strong(&atomic_load(&topologies)[node], &unknown, topology)) free((void *)topology);
}

/* Units of other nodes ask the first unit of a node, which has read the topology at the launch, since reading takes long. */
static void serve_topology(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)in;
  out->reply = &((const struct known *)tsr_topology_of(tsr_place.node))->packed;
  out->reply_bytes = packed_bytes(out->reply);
}

__attribute__((constructor)) static void register_handler(void) { tsr_net_register(TSR_H_TOPOLOGY, serve_topology); }

/* Asks those of these nodes that are not known, in order, until FETCHES_N requests are under way. Stores in *dealt_with how many
 * of the nodes it has dealt with. */
static tessera_status_t fetch_some(int32_t nodes_n, const int32_t nodes[], int32_t *dealt_with) {
  struct known *answers[FETCHES_N];
  int32_t asked[FETCHES_N], asked_n = 0, at = 0;
  tsr_op op = {0};
  tessera_status_t status = TESSERA_OK;
  for (; at < nodes_n && asked_n < FETCHES_N && !status; at++) {
    int32_t node = nodes[at], i = 0;
    while (i < asked_n && asked[i] != node) i++;
    if (i < asked_n || tsr_topology_of(node)) continue;
    if (node == tsr_place.node) {
      keep_topology(node, describe_own());
      continue;
    }
    struct known *answer = calloc(1, KNOWN_BYTES_MAX);
    if (!answer) {
      status = tsr_fail(TESSERA_ERR_MEMORY, "TSR-0396 no private memory for the description of node %d; " TSR_REMEDY_MEMORY, node);
      break;
    }
    struct tsr_net_request request = {.rank = tsr_place_rank(tsr_place_first(node)), .handler = TSR_H_TOPOLOGY,
                                      .reply = &answer->packed, .reply_bytes = PACKED_BYTES_MAX};
    status = tsr_op_request(&op, &request, NULL, NULL);
    if (status) free(answer);
    else asked[asked_n] = node, answers[asked_n++] = answer;
  }
  if (asked_n > 0) tsr_op_wait_remote(&op, tsr_place_first(asked[0]));
  for (int32_t i = 0; i < asked_n; i++) keep_topology(asked[i], answers[i]);
  *dealt_with = at;
  return status;
}

tessera_status_t tsr_topology_fetch(int32_t nodes_n, const int32_t nodes[]) {
  tessera_status_t status = TESSERA_OK;
  if (!topology_slots())
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0397 no private memory for %d nodes; " TSR_REMEDY_MEMORY, tsr_place.nodes_n);
  for (int32_t at = 0, n; at < nodes_n && !status; at += n) status = fetch_some(nodes_n - at, nodes + at, &n);
  return status;
}

tessera_status_t tsr_topology_start(void) {
  bool is_asked = tsr_place.nodes_n > 1 && tsr_place_first(tsr_place.node).id == tsr_place.self;
  return is_asked ? tsr_topology_fetch(1, &tsr_place.node) : TESSERA_OK;
}

void tsr_topology_forget(void) {
  slot *list = atomic_exchange(&topologies, NULL);
  for (int32_t node = 0; list && node < tsr_place.nodes_n; node++) free((void *)atomic_load(&list[node]));
  free(list);
}

const struct tsr_topology *tsr_topology_of(int32_t node) { return atomic_load(&atomic_load(&topologies)[node]); }

static int by_unit(const void *one, const void *other) {
  return ((const struct tsr_placement *)one)->unit - ((const struct tsr_placement *)other)->unit;
}

const struct tsr_placement *tsr_topology_placement(const struct tsr_topology *topology, tsr_unit unit) {
  struct tsr_placement key = {.unit = unit.id};
  return bsearch(&key, topology->placements, (size_t)topology->placements_n, sizeof key, by_unit);
}
