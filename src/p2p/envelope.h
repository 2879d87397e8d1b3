/* The envelope of a message, in a ring or in a request. The data of a small message follows the envelope; for a long message
 * the envelope tells where the data is. */
#ifndef TSR_P2P_ENVELOPE_H
#define TSR_P2P_ENVELOPE_H

#include <stddef.h>
#include <stdint.h>

enum tsr_envelope_form {
  TSR_ENVELOPE_SMALL, /* the data follows */
  TSR_ENVELOPE_LOCAL,  /* long, same node; number: offset of the rendezvous descriptor in the sender's heap */
  TSR_ENVELOPE_REMOTE, /* long, other node; the first data follows, the rest comes in pieces with this wire tag */
  TSR_ENVELOPE_SELF    /* long, of this unit to itself; number: the address of its tsr_outgoing */
};

struct tsr_envelope {
  int32_t source, tag;
  uint16_t context, form;
  uint16_t wire_tag;
  uint16_t mark; /* set by the sender, passed to the receiver; p2p does not use it */
  uint64_t bytes;
  uint64_t number;
};

/* In a ring slot that also holds the data, the envelope is cut to these bytes: the size of the record gives `bytes`. */
enum { TSR_ENVELOPE_HEAD_BYTES = offsetof(struct tsr_envelope, bytes) };

#endif
