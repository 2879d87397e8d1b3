#include "core/place.h"

struct tsr_place tsr_place = {.self = -1};
