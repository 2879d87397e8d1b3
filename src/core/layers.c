#include "core/layers.h"

#include <stdlib.h>

#include "base/log.h"

static const struct tsr_layer *layers[TSR_LAYERS_MAX];
static int layers_n;

void tsr_layers_register(const struct tsr_layer *layer) {
  if (layers_n == TSR_LAYERS_MAX) {
    tsr_report("TSR-0333 layer %s does not fit: there are %d layers already; raise TSR_LAYERS_MAX in core/layers.h",
               layer->name, TSR_LAYERS_MAX);
    abort();
  }
  layers[layers_n++] = layer;
}

void tsr_layers_init(void) {
  for (int i = 0; i < layers_n; i++) {
    if (layers[i]->init) layers[i]->init();
  }
}

void tsr_layers_quiesce(void) {
  for (int i = 0; i < layers_n; i++) {
    if (layers[i]->quiesce) layers[i]->quiesce();
  }
}

void tsr_layers_stop(void) {
  for (int i = 0; i < layers_n; i++) {
    if (layers[i]->stop) layers[i]->stop();
  }
}

int tsr_layers_progress(void) {
  int done = 0;
  for (int i = 0; i < layers_n; i++) {
    if (layers[i]->progress) done += layers[i]->progress();
  }
  return done;
}

bool tsr_layers_need_clock(void) {
  for (int i = 0; i < layers_n; i++) {
    if (layers[i]->needs_clock && layers[i]->needs_clock()) return true;
  }
  return false;
}
