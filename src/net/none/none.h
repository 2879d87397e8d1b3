/* The transport of a process that has none: before the start and after the end. Asking whether something happened is
 * allowed and answers no; starting traffic ends the job with a message. */
#ifndef TSR_NET_NONE_NONE_H
#define TSR_NET_NONE_NONE_H

#include "net/net.h"

extern const struct tsr_net_ops tsr_net_none;

#endif
