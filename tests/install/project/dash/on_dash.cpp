#include "../alias.cpp"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
static_assert(sizeof TEXT(DASH_MPI_IMPL_ID) < sizeof "DASH_MPI_IMPL_ID", "the name of the MPI is not known");
#if !defined(MPICH_SKIP_MPICXX) || !defined(OMPI_SKIP_MPICXX)
#error "mpi.h would need MPI's C++ library"
#endif
