/* gasnet_am_immediate_replies in C++. */
#include "gasnet_am_immediate_replies.c"
