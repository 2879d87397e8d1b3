/* Common parts of the calls that send and receive: their checked arguments, and the elements as one block. */
#ifndef TSR_API_DART_MESSAGE_H
#define TSR_API_DART_MESSAGE_H

#include "core/unit.h"
#include "api/dart/type.h"
#include "p2p/p2p.h"

/* One end of a message. */
struct tsr_dart_end {
  const char *call, *buffer_name;
  const void *buffer; /* a receive writes it */
  size_t nelem;
  dart_datatype_t dtype;
  int tag;
  dart_global_unit_t unit;
  bool takes_any; /* unit and tag may be wildcards */
  /* set by open */
  struct tsr_dart_shape shape;
  char *block;  /* the contiguous elements: in the buffer or in `packed` */
  void *packed; /* a copy; NULL: the elements in the buffer are contiguous */
};

/* Unit and tag as the core numbers them, wildcards included. */
tsr_unit tsr_dart_end_unit(const struct tsr_dart_end *end);
int32_t tsr_dart_end_tag(const struct tsr_dart_end *end);

/* Checks unit, tag and buffer. */
dart_ret_t tsr_dart_end_check(const struct tsr_dart_end *end);

/* Checks and packs. After DART_OK the caller closes the end. */
dart_ret_t tsr_dart_end_open(struct tsr_dart_end *end);
void tsr_dart_end_close(struct tsr_dart_end *end);

/* Unpacks a completed receive. DART_ERR_INVAL, logged: the message was longer than the buffer. */
dart_ret_t tsr_dart_end_receive(const struct tsr_dart_end *end, const tsr_incoming *in);

/* 0 if the other unit is on this node; for statistics. */
size_t tsr_dart_end_remote_bytes(const struct tsr_dart_end *end);

#endif
