#include "use_tessera.h"
