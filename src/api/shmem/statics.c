/* Static variables. Either all their pages are a part of the heap, or all stay where they are and are registered. */
#include "api/shmem/shmem_api.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/config.h"
#include "base/log.h"
#include "core/bootstrap.h"
#include "core/launch.h"
#include "core/segment.h"
#include "core/symmetric.h"
#include "node/data.h"

static struct {
  struct tsr_image *images; /* the same keys in the same order on all PEs; alias: in the heap, or NULL */
  size_t n;
  tsr_segment **registered; /* one for each image; NULL: they are in the heap */
} statics;

bool tsr_shmem_statics_apart;

/* The address of a function in this library, of one in libtessera, and of one in the MPI. RTLD_NEXT, since the program may have a
 * stub for the last. */
static struct tsr_image_marks own_marks(void) {
  static const void *list[3];
  list[0] = (const void *)(intptr_t)tsr_shmem_statics_start;
  list[1] = (const void *)(intptr_t)tsr_data_share;
  list[2] = dlsym(RTLD_NEXT, "MPI_Get_version");
  return (struct tsr_image_marks){list, sizeof list / sizeof list[0]};
}

/* ---- which images ---- */

static int compare_keys(const void *a, const void *b) {
  const struct tsr_image *left = a, *right = b;
  return (left->key < right->key) - (left->key > right->key);
}

/* Keeps the images that all PEs have. In each round a PE names its largest remaining key. If all PEs name the same key, they keep
 * it; otherwise the PEs with the largest key drop it. Collective. */
static void agree_on_images(void) {
  size_t kept = 0;
  qsort(statics.images, statics.n, sizeof *statics.images, compare_keys);
  for (size_t i = 0;;) {
    const int64_t key = i < statics.n ? statics.images[i].key : 0;
    int64_t v[2] = {key, -key};
    tsr_bootstrap_max(tsr_team_world, v, 2);
    if (!v[0]) break;
    if (v[0] == -v[1]) statics.images[kept++] = statics.images[i];
    if (key == v[0]) i++;
  }
  statics.n = kept;
}

const struct tsr_image *tsr_shmem_program(void) {
  for (size_t i = 0; i < statics.n; i++)
    if (statics.images[i].is_program && statics.images[i].is_first) return &statics.images[i];
  return NULL;
}

static tessera_status_t find_images(void) {
  tessera_status_t status = tsr_images_find(own_marks(), &statics.images, &statics.n);
  if (status) return status;
  agree_on_images();
  if (!tsr_shmem_program() && tsr_place.self == 0)
    tsr_warn("TSR-5006 shmem_init: the processes run different programs, so their global and static variables are not symmetric; "
             "use shmem_malloc");
  return TESSERA_OK;
}

/* ---- where they lie ---- */

/* An image must not move while another thread changes its variables: a change between the copy of a page and the exchange would
 * be lost. That may be a thread that the program has started before. If this library is linked into the program, its own
 * variables are in the program's image, and on several nodes a progress thread changes them. */
static bool may_move(void) {
  const struct tsr_image *program = tsr_shmem_program();
  bool inside = program && (uintptr_t)&statics - (uintptr_t)program->begin < program->bytes;
  return !tsr_config.shmem_data && !tsr_launch_found_threads() && !(inside && tsr_place.nodes_n > 1);
}

/* Collective: all PEs or none. */
static bool move_images(void) {
  uint64_t bytes = 0, off;
  for (size_t i = 0; i < statics.n; i++) bytes += statics.images[i].bytes;
  if (tsr_bootstrap_any(tsr_team_world, !may_move()) || tsr_symmetric_alloc(bytes, true, &off)) return false;
  char *alias = tsr_heap_at(tsr_heap.self, off);
  for (size_t i = 0; i < statics.n; alias += statics.images[i++].bytes) statics.images[i].alias = alias;
  bool failed = tsr_data_share(statics.images, statics.n);
  if (!tsr_bootstrap_any(tsr_team_world, failed)) return true;
  if (!failed) tsr_data_unshare();
  tsr_symmetric_free(off);
  return false;
}

static tessera_status_t register_images(void) {
  statics.registered = malloc(statics.n * sizeof *statics.registered);
  if (tsr_bootstrap_any(tsr_team_world, !statics.registered)) return TESSERA_ERR_MEMORY;
  for (size_t i = 0; i < statics.n; i++) {
    struct tsr_image *image = &statics.images[i];
    image->alias = NULL;
    tessera_status_t status = tsr_segment_register(tsr_team_world, image->begin, image->bytes, &statics.registered[i]);
    if (status) return status;
    statics.registered[i]->api = TSR_API_SHMEM;
  }
  tsr_shmem_statics_apart = true;
  return TESSERA_OK;
}

tessera_status_t tsr_shmem_statics_start(void) {
  tessera_status_t status = find_images();
  if (status || !statics.n || move_images()) return status;
  return register_images();
}

void tsr_shmem_statics_stop(void) {
  if (!statics.registered && tsr_data_unshare())
    tsr_shmem_die("TSR-5007 shmem_finalize: no memory for private pages of static variables; " TSR_REMEDY_MEMORY);
  free(statics.registered);
  free(statics.images);
  statics.registered = NULL;
  statics.images = NULL;
  statics.n = 0;
  tsr_shmem_statics_apart = false;
}

void tsr_shmem_statics_log(void) {
  const char *how = statics.registered ? "accessed by requests" : "mapped into the heap";
  if (statics.registered && tsr_launch_found_threads())
    how = "accessed by requests, since this process had several threads when MPI was started";
  if (!tsr_shmem_program()) tsr_debug("OpenSHMEM: static variables of the program are not symmetric");
  for (size_t i = 0; i < statics.n; i++) {
    const struct tsr_image *image = &statics.images[i];
    tsr_debug("OpenSHMEM: static variables of %s %p to %p, %s", image->is_program ? "the program" : "a library", image->begin,
              image->begin + image->bytes, how);
  }
}

/* ---- translation ---- */

bool tsr_shmem_find_static(const void *address, size_t bytes, struct tsr_shmem_static *found) {
  uint64_t before = 0;
  for (size_t i = 0; i < statics.n; before += statics.images[i++].bytes) {
    const struct tsr_image *image = &statics.images[i];
    const uint64_t at = (uint64_t)((const char *)address - image->begin);
    if (at >= image->bytes) continue;
    if (bytes > image->bytes - at) return false;
    *found = (struct tsr_shmem_static){.name = before + at, .off = at};
    if (statics.registered) found->segment = statics.registered[i];
    else found->off += (uint64_t)(image->alias - (char *)tsr_heap_at(tsr_heap.self, 0));
    return true;
  }
  return false;
}

bool tsr_shmem_static_range(size_t i, const char **begin, uint64_t *bytes) {
  if (i >= statics.n) return false;
  *begin = statics.images[i].begin;
  *bytes = statics.images[i].bytes;
  return true;
}

/* Ends the job if more than "not symmetric" can be said about the address. */
void tsr_shmem_die_if_variable(const void *address, const char *call) {
  char name[256];
  const char *why = NULL;
  switch (tsr_images_classify(own_marks(), address, name, sizeof name)) {
  case TSR_IMAGE_THREAD_LOCAL:
    tsr_shmem_die("TSR-5060 %s: %p is a thread-local variable of %s, and each thread has one of its own; use a static variable or "
                  "shmem_malloc", call, address, name);
  case TSR_IMAGE_OWN: why = "which not all PEs have loaded in the same version"; break;
  case TSR_IMAGE_FOREIGN: why = "which belongs to the system, the MPI or Tessera"; break;
  case TSR_IMAGE_LATER: why = "which the program was not linked with, as of dlopen"; break;
  case TSR_IMAGE_NONE: return;
  }
  tsr_shmem_die("TSR-5061 %s: %p is a variable of %s, %s: such variables are not symmetric; use shmem_malloc", call, address, name,
                why);
}
