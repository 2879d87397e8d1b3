/* gasnet_am_args in C++.
 * Group: gasnet_cxx_calls
 */
#include "gasnet_am_args.c"
