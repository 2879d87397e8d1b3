/* gasnet_rma_val in C++.
 * Group: gasnet_cxx_calls
 */
#include "gasnet_rma_val.c"
