/* The layers above the core: what each does when the runtime starts and ends, and in each call that makes progress. A layer has
 * one row, registered while the library is loaded. */
#ifndef TSR_CORE_LAYERS_H
#define TSR_CORE_LAYERS_H

#include <stdbool.h>

/* Functions that a layer does not need are NULL. */
struct tsr_layer {
  const char *name;
  void (*init)(void);    /* the runtime has come up, on all units; collective steps on the world are allowed */
  void (*quiesce)(void); /* an interface goes down, on all units: completes what is under way */
  void (*stop)(void);    /* the runtime goes down: all units have come to that point, the core still works */
  int (*progress)(void); /* after transport and requests; returns how much was done. Several threads may be in it at once */
  bool (*needs_clock)(void); /* whether `progress` has something to do for which nothing wakes this process */
};

enum { TSR_LAYERS_MAX = 8 };

/* The row stays for the life of the process. One row too many ends the process with a message. */
void tsr_layers_register(const struct tsr_layer *layer);

void tsr_layers_init(void);
void tsr_layers_quiesce(void);
void tsr_layers_stop(void);
int tsr_layers_progress(void);
bool tsr_layers_need_clock(void);

#endif
