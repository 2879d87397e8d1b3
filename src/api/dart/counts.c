#include "api/dart/counts.h"

#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "api/dart/dart_api.h"

struct tsr_dart_block tsr_dart_block_for(const struct tsr_dart_share *share, const void *buffer, int32_t members_n) {
  struct tsr_dart_block block = {.buffer = (char *)buffer, .members_n = members_n};
  if (!buffer) return block;
  bool contiguous = share->shape.contiguous && (members_n == 1 || share->step_bytes == share->bytes);
  if (!contiguous) block.copy = tsr_coll_memory((size_t)members_n * share->bytes);
  block.data = block.copy ? block.copy : block.buffer + share->shape.low_bytes;
  return block;
}

struct tsr_dart_block tsr_dart_block_to_send(const struct tsr_dart_share *share, const void *buffer,
                                             int32_t members_n) {
  struct tsr_dart_block block = tsr_dart_block_for(share, buffer, members_n);
  for (int32_t i = 0; block.copy && i < members_n; i++)
    tsr_dart_pack(&share->shape, (char *)block.copy + (size_t)i * share->bytes,
                  block.buffer + (size_t)i * share->step_bytes);
  return block;
}

void tsr_dart_block_drop(struct tsr_dart_block *block) { free(block->copy); }

void tsr_dart_block_receive(const struct tsr_dart_share *share, struct tsr_dart_block *block, dart_ret_t result) {
  for (int32_t i = 0; result == DART_OK && block->copy && i < block->members_n; i++)
    tsr_dart_unpack(&share->shape, block->buffer + (size_t)i * share->step_bytes,
                    (char *)block->copy + (size_t)i * share->bytes);
  free(block->copy);
}

struct tsr_dart_block tsr_dart_block_in_place(const struct tsr_dart_share *share, const void *buffer) {
  struct tsr_dart_block block = tsr_dart_block_to_send(share, buffer, share->team->size);
  if (block.copy) return block;
  size_t all = share->bytes * (size_t)share->team->size;
  block.copy = tsr_coll_memory(all);
  block.data = memcpy(block.copy, block.data, all);
  return block;
}

/* A displacement, too, is a number of whole blocks or instances: its bytes are those from the first to the next. */
static dart_ret_t measure_displacement(const char *call, dart_datatype_t dtype, size_t displ, size_t *bytes) {
  struct tsr_dart_shape before;
  dart_ret_t result = tsr_dart_shape_make(call, dtype, displ, &before);
  if (result != DART_OK) return result;
  *bytes = before.step_bytes;
  tsr_dart_shape_release(&before);
  return DART_OK;
}

static dart_ret_t measure_share(const struct tsr_dart_share *share, dart_datatype_t dtype, size_t n, size_t displ,
                                struct tsr_dart_counted *to, int32_t i) {
  size_t end;
  dart_ret_t result = measure_displacement(share->call, dtype, displ, &to->displs[i]);
  if (result == DART_OK) result = tsr_dart_shape_make(share->call, dtype, n, &to->shapes[i]);
  if (result != DART_OK) return result;
  to->bytes[i] = to->shapes[i].bytes;
  to->offs[i] = to->total;
  to->all_blocks = to->all_blocks && to->shapes[i].contiguous;
  bool fits = !__builtin_add_overflow(to->displs[i], to->shapes[i].end_bytes, &end) && end <= PTRDIFF_MAX &&
              !__builtin_add_overflow(to->total, to->bytes[i], &to->total) && to->total <= PTRDIFF_MAX;
  if (fits) return DART_OK;
  return tsr_dart_invalid("TSR-2022 %s: %zu elements at displacement %zu for unit %d exceed the address space; correct the "
                          "tables", share->call, n, displ, i);
}

static dart_ret_t measure_shares(const struct tsr_dart_share *share, dart_datatype_t dtype, const size_t counts[],
                                 const size_t displs[], struct tsr_dart_counted *to) {
  dart_ret_t result = DART_OK;
  for (int32_t i = 0; i < share->team->size && result == DART_OK; i++)
    result = measure_share(share, dtype, counts[i], displs[i], to, i);
  for (int32_t i = 0; to->all_blocks && i < share->team->size; i++)
    to->offs[i] = to->displs[i] + to->shapes[i].low_bytes;
  return result;
}

dart_ret_t tsr_dart_counted_make(const struct tsr_dart_share *share, dart_datatype_t dtype, const char *names,
                                 const size_t counts[], const size_t displs[], struct tsr_dart_counted *to) {
  size_t n = (size_t)share->team->size;
  if (!counts || !displs)
    return tsr_dart_invalid("TSR-2023 %s: %s is NULL; pass one number for each of the team's %zu units", share->call, names, n);
  to->n = share->team->size;
  to->shapes = calloc(n, sizeof *to->shapes);
  to->displs = malloc(3 * n * sizeof *to->displs);
  if (!to->shapes || !to->displs)
    return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2024 %s: no private memory for %zu units; free some", share->call, n);
  to->bytes = to->displs + n;
  to->offs = to->bytes + n;
  return measure_shares(share, dtype, counts, displs, to);
}

void tsr_dart_counted_drop(struct tsr_dart_counted *counted) {
  for (int32_t i = 0; counted->shapes && i < counted->n; i++) tsr_dart_shape_release(&counted->shapes[i]);
  free(counted->shapes);
  free(counted->displs);
  free(counted->copy);
}

void *tsr_dart_counted_data(struct tsr_dart_counted *counted, const void *buffer) {
  if (counted->all_blocks) return (void *)buffer;
  counted->copy = tsr_coll_memory(counted->total);
  return counted->copy;
}

void *tsr_dart_counted_packed(struct tsr_dart_counted *counted, const void *buffer) {
  void *data = tsr_dart_counted_data(counted, buffer);
  for (int32_t i = 0; counted->copy && i < counted->n; i++)
    tsr_dart_pack(&counted->shapes[i], (char *)counted->copy + counted->offs[i], (const char *)buffer + counted->displs[i]);
  return data;
}

void tsr_dart_counted_unpack(const struct tsr_dart_counted *counted, void *buffer) {
  for (int32_t i = 0; counted->copy && i < counted->n; i++)
    tsr_dart_unpack(&counted->shapes[i], (char *)buffer + counted->displs[i], (char *)counted->copy + counted->offs[i]);
}

struct tsr_dart_block tsr_dart_counted_own(const struct tsr_dart_counted *counted, int32_t unit, const void *buffer) {
  const struct tsr_dart_shape *shape = &counted->shapes[unit];
  if (counted->all_blocks) return (struct tsr_dart_block){.data = (char *)buffer + shape->low_bytes};
  void *copy = tsr_coll_memory(shape->bytes);
  tsr_dart_pack(shape, copy, buffer);
  return (struct tsr_dart_block){.data = copy, .copy = copy};
}
