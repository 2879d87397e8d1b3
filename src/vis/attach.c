#include "vis/attach.h"

#include "core/place.h"

/* The elements of a layout one after the other. */
struct walk {
  tsr_layout layout; /* simplified */
  size_t index[TSR_LAYOUT_DIMS];
  char *at;
  size_t left_bytes; /* of the element at `at` */
};

static void walk_start(struct walk *walk, void *base, const tsr_layout *layout) {
  tsr_layout_simplify_to(&walk->layout, layout);
  for (int d = 0; d < walk->layout.dims; d++) walk->index[d] = 0;
  walk->at = base;
  walk->left_bytes = walk->layout.elem_bytes;
}

/* Takes bytes of the element, and goes on to the next one at its end. */
static void walk_on(struct walk *walk, size_t bytes) {
  const tsr_layout *layout = &walk->layout;
  walk->at += bytes;
  walk->left_bytes -= bytes;
  if (walk->left_bytes) return;
  walk->at -= layout->elem_bytes;
  walk->left_bytes = layout->elem_bytes;
  for (int d = 0; d < layout->dims; d++) {
    walk->at += layout->stride[d];
    if (++walk->index[d] < layout->count[d]) return;
    walk->at -= (ptrdiff_t)layout->count[d] * layout->stride[d];
    walk->index[d] = 0;
  }
}

/* What one call moves on one side. */
enum { ENTRIES_N = 512 };
struct batch {
  struct iovec entries[ENTRIES_N];
  size_t n;
};

static void batch_add(struct batch *batch, char *at, size_t bytes) {
  struct iovec *last = batch->n ? &batch->entries[batch->n - 1] : NULL;
  if (last && (char *)last->iov_base + last->iov_len == at) last->iov_len += bytes;
  else batch->entries[batch->n++] = (struct iovec){at, bytes};
}

tessera_status_t tsr_attach_layout(enum tsr_attach_way way, void *ours, const tsr_layout *our_layout, tsr_addr theirs,
                                   const tsr_layout *their_layout) {
  int32_t local = tsr_place_local(theirs.unit);
  if (local < 0 || !tsr_attach_works((uint32_t)local)) return TESSERA_ERR_UNSUPPORTED;
  struct walk here, there;
  struct batch near, far;
  tessera_status_t status = TESSERA_OK;
  size_t left = tsr_layout_bytes(our_layout);
  walk_start(&here, ours, our_layout);
  walk_start(&there, tsr_addr_outside_pointer(theirs), their_layout);
  while (left && !status) {
    near.n = far.n = 0;
    while (left && near.n < ENTRIES_N && far.n < ENTRIES_N) {
      size_t bytes = here.left_bytes < there.left_bytes ? here.left_bytes : there.left_bytes;
      batch_add(&near, here.at, bytes);
      batch_add(&far, there.at, bytes);
      walk_on(&here, bytes);
      walk_on(&there, bytes);
      left -= bytes;
    }
    status = tsr_attach_copy((uint32_t)local, way, near.entries, near.n, far.entries, far.n);
  }
  return status;
}
