# Finds the MPI: by MPI_C_COMPILER where it is given, else by TESSERA_MPI and Debian's names of the wrappers.
# Sets MPI_C_*, MPIEXEC_EXECUTABLE and TESSERA_MPI_KIND (mpich or openmpi), and writes the launcher `mpirun`
# into the build directory.
set(TESSERA_MPI "mpich" CACHE STRING "MPI to build with: mpich or openmpi")
set_property(CACHE TESSERA_MPI PROPERTY STRINGS mpich openmpi)

if(NOT MPI_C_COMPILER)
  if(NOT TESSERA_MPI MATCHES "^(mpich|openmpi)$")
    message(FATAL_ERROR "TESSERA_MPI is '${TESSERA_MPI}': give mpich or openmpi, or name a wrapper with MPI_C_COMPILER")
  endif()
  find_program(MPI_C_COMPILER "mpicc.${TESSERA_MPI}")
  if(NOT MPI_C_COMPILER)
    message(FATAL_ERROR "mpicc.${TESSERA_MPI} not found: run scripts/deps, or name a wrapper with -DMPI_C_COMPILER=...")
  endif()
endif()

# The launcher of the wrapper's MPI is in the wrapper's folder, under the matching name.
if(NOT MPIEXEC_EXECUTABLE)
  find_program(mpi_wrapper "${MPI_C_COMPILER}" NO_CACHE)
  cmake_path(GET mpi_wrapper PARENT_PATH mpi_bin_dir)
  cmake_path(GET mpi_wrapper FILENAME mpi_launcher)
  string(REPLACE "mpicc" "mpiexec" mpi_launcher "${mpi_launcher}")
  find_program(MPIEXEC_EXECUTABLE "${mpi_launcher}" HINTS "${mpi_bin_dir}")
endif()

find_package(MPI REQUIRED COMPONENTS C)

include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_INCLUDES ${MPI_C_INCLUDE_DIRS})
check_c_source_compiles("
  #include <mpi.h>
  #ifndef OPEN_MPI
  #error another MPI
  #endif
  int main(void) { return 0; }" TESSERA_MPI_IS_OPENMPI)
unset(CMAKE_REQUIRED_INCLUDES)
if(TESSERA_MPI_IS_OPENMPI)
  set(TESSERA_MPI_KIND openmpi)
else()
  set(TESSERA_MPI_KIND mpich)
endif()

configure_file(scripts/mpirun.in "${PROJECT_BINARY_DIR}/mpirun" @ONLY
               FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
