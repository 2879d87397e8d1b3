#include "gasnet_client.c"
