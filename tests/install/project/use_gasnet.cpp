#include "use_gasnet.h"
