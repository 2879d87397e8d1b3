/* What the calls that send and receive share: their arguments, checked, and the user's elements as one block. */
#ifndef TSR_API_DART_MESSAGE_H
#define TSR_API_DART_MESSAGE_H

#include "core/unit.h"
#include "api/dart/type.h"
#include "p2p/p2p.h"

/* One end of a message. */
struct tsr_dart_end {
  const char *call, *buffer_name;
  const void *buffer; /* written by a receive */
  size_t nelem;
  dart_datatype_t dtype;
  int tag;
  dart_global_unit_t unit;
  bool takes_any; /* unit and tag may be wildcards */
  /* set by open */
  struct tsr_dart_shape shape;
  char *block;  /* the elements end to end: in the buffer, ... */
  void *packed; /* ... or this copy of them, when they are scattered there */
};

/* The core's numbers for whom a receive or a probe names. */
tsr_unit tsr_dart_end_unit(const struct tsr_dart_end *end);
int32_t tsr_dart_end_tag(const struct tsr_dart_end *end);

/* Whether the end names units and tags that there are, and a buffer. */
dart_ret_t tsr_dart_end_check(const struct tsr_dart_end *end);

/* Checks and packs. After DART_OK the end is closed. */
dart_ret_t tsr_dart_end_open(struct tsr_dart_end *end);
void tsr_dart_end_close(struct tsr_dart_end *end);

/* Ends a receive that is done: unpacks; DART_ERR_INVAL, logged: the message was longer than the buffer. */
dart_ret_t tsr_dart_end_receive(const struct tsr_dart_end *end, const tsr_incoming *in);

/* For statistics. */
size_t tsr_dart_end_remote_bytes(const struct tsr_dart_end *end);

#endif
