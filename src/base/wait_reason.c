#include "base/wait_reason.h"

#include <stdio.h>

/* Programs receive and probe with wildcards. */
static void describe_message(const struct tsr_wait_why *why, char *text, int text_bytes) {
  char unit[16] = "any unit", tag[32] = "any tag";
  if (why->who >= 0) snprintf(unit, sizeof unit, "unit %d", why->who);
  if (why->what >= 0) snprintf(tag, sizeof tag, "tag %lld", (long long)why->what);
  if (why->kind == TSR_WAIT_MESSAGE) snprintf(text, (size_t)text_bytes, "a message from %s with %s", unit, tag);
  else snprintf(text, (size_t)text_bytes, "%s to receive a message with %s", unit, tag);
}

void tsr_wait_describe(const struct tsr_wait_why *why, char *text, int text_bytes) {
  static const char *const forms[TSR_WAIT_KINDS_N] = {
      [TSR_WAIT_NONE] = "nothing",
      [TSR_WAIT_BARRIER] = "the members of team %d in barrier or collective %lld",
      [TSR_WAIT_REPLY] = "unit %d to complete a transfer (%lld requests outstanding)",
      [TSR_WAIT_EVENTS] = "one of %d events or groups of operations (%lld pieces of theirs under way)",
      [TSR_WAIT_VALUE] = "%d of its variables to change (the first is at 0x%llx)",
      [TSR_WAIT_NOTICE] = "a notification on one of %d counters (the first is to reach %lld)",
      [TSR_WAIT_SLOT] = "a free buffer towards rank %d (%lld requests outstanding)",
      [TSR_WAIT_BOUNCE] = "a free bounce buffer for a reply from unit %d (all %lld are in use)",
      [TSR_WAIT_HANDLE] = "another thread to send what a handle has collected for unit %d",
      [TSR_WAIT_MESSAGES] = "the other ends of %d messages under way",
      [TSR_WAIT_CTRL] = "a control message of unit %d (creation of a team, or statistics)",
      [TSR_WAIT_LOCK] = "a lock that unit %d holds or waits for (its home is unit %lld)",
      [TSR_WAIT_LOCK_USERS] = "the %d other units of a lock whose home is this unit to destroy it",
      [TSR_WAIT_STARTED] = "the members of team %d in non-blocking collectives (%lld of them not complete)",
      [TSR_WAIT_COLLECTIVE] = "the members of team %d in non-blocking collective %lld",
      [TSR_WAIT_INNER] = "the members of team %d in a blocking reduction",
      [TSR_WAIT_ROOM] = "room in the ring of unit %d for a record of %lld bytes",
      [TSR_WAIT_AM_BLOCK] = "a free block for an active message to unit %d (%lld bytes; TESSERA_AM_POOL)",
      [TSR_WAIT_AM_TAKEN] = "unit %d of another node to take active messages (%lld of them under way)",
      [TSR_WAIT_AM] = "active messages, by the program",
      [TSR_WAIT_END] = "the other units to come to the end of the program",
      [TSR_WAIT_SPLIT] = "the members of team %d in split-phase barrier %lld",
      [TSR_WAIT_SEVERAL_NODES] = "unit %d and others, on other nodes, in a barrier or collective of team %lld",
      [TSR_WAIT_NODES] = "unit %d, on another node, in a barrier or collective of team %lld",
  };
  enum tsr_wait_kind kind = why->kind < TSR_WAIT_KINDS_N ? why->kind : TSR_WAIT_NONE;
  if (kind == TSR_WAIT_AM_TAKEN && why->who < 0) {
    snprintf(text, (size_t)text_bytes, "units of other nodes to take active messages (%lld of them under way)",
             (long long)why->what);
    return;
  }
  if (kind == TSR_WAIT_MESSAGE || kind == TSR_WAIT_RECEIVER) {
    describe_message(why, text, text_bytes);
    return;
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(text, (size_t)text_bytes, forms[kind], why->who, (long long)why->what);
#pragma GCC diagnostic pop
}
