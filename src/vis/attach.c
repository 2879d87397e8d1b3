#include "vis/attach.h"

#include "core/place.h"

/* Stores the unit's local index. False: the kernel cannot copy its memory. */
static bool find_local(tsr_addr theirs, uint32_t *local) {
  *local = (uint32_t)tsr_place_local(theirs.unit);
  return (int32_t)*local >= 0 && tsr_attach_works(*local);
}

struct layout_side {
  struct tsr_attach_side side;
  char *base;
  tsr_layout_cursor cursor;
};

static bool next_element(struct tsr_attach_side *side) {
  struct layout_side *elements = (struct layout_side *)side;
  tsr_layout_cursor *cursor = &elements->cursor;
  if (!tsr_layout_pass(cursor, cursor->left_bytes)) return false;
  side->entry = (struct iovec){elements->base + cursor->off, cursor->left_bytes};
  return true;
}

static void start_layout(struct layout_side *elements, void *base, const tsr_layout *layout) {
  tsr_layout_begin(&elements->cursor, layout);
  elements->base = base;
  elements->side = tsr_attach_one(base, elements->cursor.left_bytes);
  if (elements->cursor.layout.dims > 0) elements->side.next = next_element;
}

tessera_status_t tsr_attach_layout(enum tsr_attach_way way, void *ours, const tsr_layout *our_layout, tsr_addr theirs,
                                   const tsr_layout *their_layout) {
  uint32_t local;
  if (!find_local(theirs, &local)) return TESSERA_ERR_UNSUPPORTED;
  struct layout_side our_side, their_side;
  start_layout(&our_side, ours, our_layout);
  start_layout(&their_side, tsr_addr_outside_pointer(theirs), their_layout);
  return tsr_attach_copy(local, way, &our_side.side, &their_side.side);
}

struct iov_side {
  struct tsr_attach_side side;
  char *base;
  tsr_iov_cursor cursor;
};

static bool take_entry(struct iov_side *list) {
  list->side.entry = (struct iovec){list->base + list->cursor.off, list->cursor.left_bytes};
  return list->cursor.left_bytes > 0;
}

static bool next_entry(struct tsr_attach_side *side) {
  struct iov_side *list = (struct iov_side *)side;
  tsr_iov_next(&list->cursor);
  return take_entry(list);
}

static void start_iov(struct iov_side *list, void *base, const tsr_iov *iov) {
  list->base = base;
  list->cursor = tsr_iov_begin(iov);
  list->side.next = next_entry;
  take_entry(list);
}

tessera_status_t tsr_attach_iov(enum tsr_attach_way way, void *ours, const tsr_iov *our_iov, tsr_addr theirs,
                                 const tsr_iov *their_iov) {
  uint32_t local;
  if (!find_local(theirs, &local)) return TESSERA_ERR_UNSUPPORTED;
  struct iov_side our_side, their_side;
  start_iov(&our_side, ours, our_iov);
  start_iov(&their_side, tsr_addr_outside_pointer(theirs), their_iov);
  return tsr_attach_copy(local, way, &our_side.side, &their_side.side);
}
