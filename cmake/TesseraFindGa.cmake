# Debian's Global Arrays, a static library for each MPI that was compiled with ARMCI-MPI's headers: it runs on any ARMCI of
# that binary layout, so on ours. What it needs of others is taken by the names that their run-time packages have. Installed with
# the CMake package, which looks for it where programs are built.
set(TESSERA_GA_NUMERICS libscalapack-@mpi@.so.2.2 liblapack.so.3 libblas.so.3 libgfortran.so.5)

# tessera_find_ga(MPI): sets in the caller GA_LIBRARY, GA_NUMERICS (to be linked after an ARMCI), GA_ARMCI (Debian's), and
# GA_MISSING: what is not there of the first two, empty when all is.
function(tessera_find_ga mpi)
  find_path(ga_header ga.h NO_CACHE)
  find_library(ga_library libga-${mpi}.a NO_CACHE)
  find_library(ga_armci libarmci-${mpi}.a NO_CACHE)
  set(missing)
  if(NOT ga_header OR NOT ga_library)
    set(missing "libga-${mpi}.a with ga.h (libglobalarrays-dev)")
  endif()
  set(numerics)
  string(CONFIGURE "${TESSERA_GA_NUMERICS}" names @ONLY)
  foreach(name IN LISTS names)
    find_library(ga_${name} ${name} NO_CACHE)
    list(APPEND numerics "${ga_${name}}")
    if(NOT ga_${name})
      list(APPEND missing ${name})
    endif()
  endforeach()
  list(JOIN missing ", " missing)
  set(GA_MISSING "${missing}" PARENT_SCOPE)
  set(GA_LIBRARY "${ga_library}" PARENT_SCOPE)
  set(GA_NUMERICS "${numerics}" PARENT_SCOPE)
  set(GA_ARMCI "${ga_armci}" PARENT_SCOPE)
endfunction()
