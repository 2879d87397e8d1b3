#include "use_shmem.h"
