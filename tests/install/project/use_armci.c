#include "use_armci.h"
