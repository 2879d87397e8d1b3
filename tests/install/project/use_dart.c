#include "use_dart.h"
