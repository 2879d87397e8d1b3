#include "vis/attach.h"

#include "core/place.h"

/* Whether it is for the kernel to try; then the unit's local index. */
static bool reaches(tsr_addr theirs, uint32_t *local) {
  int32_t here = tsr_place_local(theirs.unit);
  *local = (uint32_t)here;
  return here >= 0 && tsr_attach_works(*local);
}

/* The elements of a layout one after the other. */
struct elements {
  struct tsr_attach_side side;
  tsr_layout layout; /* simplified */
  size_t index[TSR_LAYOUT_DIMS];
};

static bool next_element(struct tsr_attach_side *side) {
  struct elements *elements = (struct elements *)side;
  const tsr_layout *layout = &elements->layout;
  char *at = side->entry.iov_base;
  for (int d = 0; d < layout->dims; d++) {
    at += layout->stride[d];
    if (++elements->index[d] < layout->count[d]) {
      side->entry = (struct iovec){at, layout->elem_bytes};
      return true;
    }
    at -= (ptrdiff_t)layout->count[d] * layout->stride[d];
    elements->index[d] = 0;
  }
  return false;
}

static void start_elements(struct elements *elements, void *base, const tsr_layout *layout) {
  bool one = tsr_layout_simplify_to(&elements->layout, layout);
  for (int d = 0; d < elements->layout.dims; d++) elements->index[d] = 0;
  elements->side = (struct tsr_attach_side){{base, elements->layout.elem_bytes}, one ? NULL : next_element};
}

tessera_status_t tsr_attach_layout(enum tsr_attach_way way, void *ours, const tsr_layout *our_layout, tsr_addr theirs,
                                   const tsr_layout *their_layout) {
  uint32_t local;
  if (!reaches(theirs, &local)) return TESSERA_ERR_UNSUPPORTED;
  struct elements here, there;
  start_elements(&here, ours, our_layout);
  start_elements(&there, tsr_addr_outside_pointer(theirs), their_layout);
  return tsr_attach_copy(local, way, &here.side, &there.side);
}

/* The runs of a list. */
struct run_list {
  struct tsr_attach_side side;
  char *base;
  tsr_iov_cursor cursor;
};

static bool take_run(struct run_list *list) {
  list->side.entry = (struct iovec){list->base + list->cursor.off, list->cursor.left_bytes};
  return list->cursor.left_bytes > 0;
}

static bool next_run(struct tsr_attach_side *side) {
  struct run_list *list = (struct run_list *)side;
  tsr_iov_next(&list->cursor);
  return take_run(list);
}

static void start_iov(struct run_list *list, void *base, const tsr_iov *iov) {
  list->base = base;
  list->cursor = tsr_iov_begin(iov);
  list->side.next = next_run;
  take_run(list);
}

tessera_status_t tsr_attach_iov(enum tsr_attach_way way, void *ours, const tsr_iov *our_iov, tsr_addr theirs,
                                 const tsr_iov *their_iov) {
  uint32_t local;
  if (!reaches(theirs, &local)) return TESSERA_ERR_UNSUPPORTED;
  struct run_list here, there;
  start_iov(&here, ours, our_iov);
  start_iov(&there, tsr_addr_outside_pointer(theirs), their_iov);
  return tsr_attach_copy(local, way, &here.side, &there.side);
}
