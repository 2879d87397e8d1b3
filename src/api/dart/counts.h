/* Buffers of collectives. The core takes contiguous blocks. If the shares in a user's buffer have gaps, the core gets a
 * private copy instead: packed before a send, unpacked after a receive. */
#ifndef TSR_API_DART_COUNTS_H
#define TSR_API_DART_COUNTS_H

#include "api/dart/collective.h"

/* Shares of equal size, one after another. */
struct tsr_dart_block {
  void *data;   /* what the core gets; NULL if the user's buffer is NULL */
  void *copy;   /* NULL: the core uses the user's buffer */
  char *buffer; /* the user's */
  int32_t members_n;
};

/* _for: to receive into. _to_send: packed. _in_place: to send from a buffer that also receives. */
struct tsr_dart_block tsr_dart_block_for(const struct tsr_dart_share *share, const void *buffer, int32_t members_n);
struct tsr_dart_block tsr_dart_block_to_send(const struct tsr_dart_share *share, const void *buffer, int32_t members_n);
struct tsr_dart_block tsr_dart_block_in_place(const struct tsr_dart_share *share, const void *buffer);

void tsr_dart_block_drop(struct tsr_dart_block *block);
/* Drops the block; unpacks it before if `result` is DART_OK. */
void tsr_dart_block_receive(const struct tsr_dart_share *share, struct tsr_dart_block *block, dart_ret_t result);

/* Shares of different sizes: each unit's elements, and their offsets in the user's buffer and in the core's. All zeros
 * except all_blocks is a valid empty value. */
struct tsr_dart_counted {
  int32_t n;
  struct tsr_dart_shape *shapes;
  size_t *displs; /* bytes; allocated with the two that follow */
  size_t *bytes, *offs;
  size_t total;
  void *copy;
  bool all_blocks; /* the core gets the user's buffer, else the copy; set it to false beforehand to force a copy */
};

/* `names`: of the two tables, for messages. Errors as of tsr_dart_shape_make, and NULL tables. The caller drops `to`
 * after an error, too. */
dart_ret_t tsr_dart_counted_make(const struct tsr_dart_share *share, dart_datatype_t dtype, const char *names,
                                 const size_t counts[], const size_t displs[], struct tsr_dart_counted *to);
void tsr_dart_counted_drop(struct tsr_dart_counted *counted);

/* What the core gets for the buffer; _packed: to send from. */
void *tsr_dart_counted_data(struct tsr_dart_counted *counted, const void *buffer);
void *tsr_dart_counted_packed(struct tsr_dart_counted *counted, const void *buffer);
void tsr_dart_counted_unpack(const struct tsr_dart_counted *counted, void *buffer);

/* One unit's elements at `buffer`, packed to be sent. */
struct tsr_dart_block tsr_dart_counted_own(const struct tsr_dart_counted *counted, int32_t unit, const void *buffer);

static inline bool tsr_dart_in_place(const void *sendbuf, const void *recvbuf) { return !sendbuf || sendbuf == recvbuf; }

#endif
