/* Buffers of collectives as the core wants them: blocks. Where the shares of a user's buffer are none, the core gets a
 * private block instead, into which those to send are packed, and out of which those received are unpacked.
 */
#ifndef TSR_API_DART_COUNTS_H
#define TSR_API_DART_COUNTS_H

#include "api/dart/collective.h"

/* Equal shares, one after another. */
struct tsr_dart_block {
  void *data;   /* what the core gets; NULL when the user's buffer is */
  void *copy;   /* freed in the end */
  char *buffer; /* the user's */
  int32_t members_n;
};

/* To receive into, to send from, and to send from where the same place receives. */
struct tsr_dart_block tsr_dart_block_for(const struct tsr_dart_share *share, const void *buffer, int32_t members_n);
struct tsr_dart_block tsr_dart_block_to_send(const struct tsr_dart_share *share, const void *buffer, int32_t members_n);
struct tsr_dart_block tsr_dart_block_in_place(const struct tsr_dart_share *share, const void *buffer);

void tsr_dart_block_drop(struct tsr_dart_block *block);
/* Unpacks, and drops; what a call that failed left in a copy is nothing. */
void tsr_dart_block_receive(const struct tsr_dart_share *share, struct tsr_dart_block *block, dart_ret_t result);

/* Shares of several sizes: for each unit its elements, where they lie in the user's buffer, and in the core's. All zeros,
 * but for all_blocks: made of nothing. */
struct tsr_dart_counted {
  int32_t n;
  struct tsr_dart_shape *shapes;
  size_t *displs; /* bytes; allocated with the two that follow */
  size_t *bytes, *offs;
  size_t total;
  void *copy;      /* what the core gets ... */
  bool all_blocks; /* ... unless it gets the user's buffer; false from the beginning: it does not */
};

/* `names` are those of the two tables. Errors as of tsr_dart_shape_make, and NULL tables. Dropped in any case. */
dart_ret_t tsr_dart_counted_make(const struct tsr_dart_share *share, dart_datatype_t dtype, const char *names,
                                 const size_t counts[], const size_t displs[], struct tsr_dart_counted *to);
void tsr_dart_counted_drop(struct tsr_dart_counted *counted);

/* What the core gets for the buffer; to send from it is packed besides. */
void *tsr_dart_counted_data(struct tsr_dart_counted *counted, const void *buffer);
void *tsr_dart_counted_packed(struct tsr_dart_counted *counted, const void *buffer);
void tsr_dart_counted_unpack(const struct tsr_dart_counted *counted, void *buffer);

/* One unit's elements at `buffer`, to send. */
struct tsr_dart_block tsr_dart_counted_own(const struct tsr_dart_counted *counted, int32_t unit, const void *buffer);

static inline bool tsr_dart_in_place(const void *sendbuf, const void *recvbuf) { return !sendbuf || sendbuf == recvbuf; }

#endif
