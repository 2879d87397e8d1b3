/* Meetings: all units come to a point, each with a word, and learn what all of them have said; in two halves. Below the
 * barriers of names, and the end of the job. Within a node they need no message. */
#ifndef TSR_API_GASNET_SPLIT_BARRIER_H
#define TSR_API_GASNET_SPLIT_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/op.h"
#include "core/team.h"

struct tsr_gex_word {
  int32_t value;
  bool speaks;  /* it has a value */
  bool objects;
};

struct tsr_gex_split_barrier {
  tsr_team *team; /* of all units, for this purpose alone, so that nothing else gets between the halves */
  tsr_op op;      /* between nodes */
  int64_t said[3], heard[3];
};

/* Collective over the job. Dies when that fails. */
void tsr_gex_split_barrier_make(struct tsr_gex_split_barrier *split_barrier);

/* Comes, with a word; waits for nobody. A meeting is over before the next begins. */
void tsr_gex_split_barrier_come(struct tsr_gex_split_barrier *split_barrier, struct tsr_gex_word word);
/* The same for who has nothing to say and does not listen; then all units come so. */
void tsr_gex_split_barrier_come_silently(struct tsr_gex_split_barrier *split_barrier);

/* Whether all have come; and waits for that. */
bool tsr_gex_split_barrier_is_over(struct tsr_gex_split_barrier *split_barrier);
void tsr_gex_split_barrier_await(struct tsr_gex_split_barrier *split_barrier);

/* Of one that is over: what has been said. */
struct tsr_gex_heard {
  bool spoken; /* somebody had a value: */
  int32_t least, most;
  bool objected;
};
struct tsr_gex_heard tsr_gex_split_barrier_heard(struct tsr_gex_split_barrier *split_barrier);

#endif
