#include <dash/dart/if/dart_v2.h>

#include "core/op.h"

int32_t dart_v2_handle_is_live(dart_handle_t handle) { return handle && tsr_handle_op((tsr_handle)(uintptr_t)handle); }
