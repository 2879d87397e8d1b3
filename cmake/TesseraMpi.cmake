# Finds the MPI: by MPI_C_COMPILER where it is given, else the first wrapper mpicc.mpich or mpicc (mpicc.openmpi or mpicc) in MPI_HOME
# or PATH that belongs to the MPI that TESSERA_MPI names. Sets MPI_C_*, MPIEXEC_EXECUTABLE and TESSERA_MPI_KIND (mpich or openmpi), and
# writes the launcher `mpirun` into the build directory.
set(TESSERA_MPI "mpich" CACHE STRING "MPI to build with: mpich or openmpi")
set_property(CACHE TESSERA_MPI PROPERTY STRINGS mpich openmpi)

set(mpi_name_mpich MPICH)
set(mpi_name_openmpi "Open MPI")

# Sets `kind` to the MPI of a compiler wrapper; empty if it is no wrapper that works. MPIs with MPICH's binary interface count as mpich.
function(tessera_read_wrapper_kind wrapper)
  set(source "${CMAKE_BINARY_DIR}/CMakeFiles/tessera_mpi_kind.c")
  file(WRITE "${source}" "#include <mpi.h>\n#ifdef OPEN_MPI\ntessera_mpi_openmpi\n#else\ntessera_mpi_mpich\n#endif\n")
  execute_process(COMMAND "${wrapper}" -E "${source}" OUTPUT_VARIABLE output ERROR_QUIET RESULT_VARIABLE code)
  set(kind)
  if(code EQUAL 0 AND output MATCHES "\ntessera_mpi_(mpich|openmpi)")
    set(kind ${CMAKE_MATCH_1})
  endif()
  set(kind "${kind}" PARENT_SCOPE)
endfunction()

# The same for a launcher; empty for those that start programs of several MPIs.
function(tessera_read_launcher_kind launcher)
  execute_process(COMMAND "${launcher}" --version OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(kind)
  if(output MATCHES "OpenRTE|Open MPI|PRRTE")
    set(kind openmpi)
  elseif(output MATCHES "HYDRA")
    set(kind mpich)
  endif()
  set(kind "${kind}" PARENT_SCOPE)
endfunction()

# Keeps for the message that a program was found and is not used.
function(tessera_note_other program kind)
  if(kind)
    set(what "belongs to ${mpi_name_${kind}}")
  else()
    set(what "does not find mpi.h")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY TESSERA_MPI_OTHERS "; ${program} ${what}")
endfunction()

# Called by find_program for each candidate.
function(tessera_is_wrapper result wrapper)
  tessera_read_wrapper_kind("${wrapper}")
  if(NOT kind STREQUAL TESSERA_MPI)
    tessera_note_other("${wrapper}" "${kind}")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

function(tessera_is_launcher result launcher)
  tessera_read_launcher_kind("${launcher}")
  if(kind AND NOT kind STREQUAL TESSERA_MPI_KIND)
    tessera_note_other("${launcher}" "${kind}")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

if(NOT MPI_C_COMPILER)
  if(NOT TESSERA_MPI MATCHES "^(mpich|openmpi)$")
    message(FATAL_ERROR "TESSERA_MPI is '${TESSERA_MPI}': give mpich or openmpi, or name a wrapper with MPI_C_COMPILER")
  endif()
  find_program(MPI_C_COMPILER NAMES "mpicc.${TESSERA_MPI}" mpicc NAMES_PER_DIR
               HINTS "${MPI_HOME}" ENV MPI_HOME PATH_SUFFIXES bin VALIDATOR tessera_is_wrapper)
  if(NOT MPI_C_COMPILER)
    get_property(others GLOBAL PROPERTY TESSERA_MPI_OTHERS)
    message(FATAL_ERROR "no mpicc.${TESSERA_MPI} or mpicc of ${mpi_name_${TESSERA_MPI}} in MPI_HOME or PATH${others}. Install it "
            "(scripts/deps on Debian), load its module, set MPI_HOME, or name the wrapper with -DMPI_C_COMPILER=...; "
            "make MPI=... or -DTESSERA_MPI=... (mpich or openmpi) selects the MPI")
  endif()
endif()
find_program(mpi_wrapper "${MPI_C_COMPILER}" NO_CACHE)
tessera_read_wrapper_kind("${mpi_wrapper}")
if(NOT kind)
  message(FATAL_ERROR "MPI_C_COMPILER is '${MPI_C_COMPILER}', which does not compile a program that includes mpi.h: name the mpicc of "
          "an MPI")
endif()
set(TESSERA_MPI_KIND ${kind})

# The launcher of the wrapper's MPI usually is in the wrapper's folder, under the matching name. The wrapper may be a link.
if(NOT MPIEXEC_EXECUTABLE)
  cmake_path(GET mpi_wrapper PARENT_PATH mpi_bin_dir)
  file(REAL_PATH "${mpi_wrapper}" mpi_real_dir)
  cmake_path(GET mpi_real_dir PARENT_PATH mpi_real_dir)
  cmake_path(GET mpi_wrapper FILENAME mpi_launcher)
  string(REGEX REPLACE ".*mpicc" "mpiexec" mpi_launcher "${mpi_launcher}")
  if(NOT mpi_launcher MATCHES "^mpiexec")
    set(mpi_launcher "mpiexec.${TESSERA_MPI_KIND}")
  endif()
  set_property(GLOBAL PROPERTY TESSERA_MPI_OTHERS)
  find_program(MPIEXEC_EXECUTABLE NAMES "${mpi_launcher}" mpiexec mpirun NAMES_PER_DIR
               HINTS "${mpi_bin_dir}" "${mpi_real_dir}" "${MPI_HOME}" ENV MPI_HOME PATH_SUFFIXES bin VALIDATOR tessera_is_launcher)
  if(NOT MPIEXEC_EXECUTABLE)
    get_property(others GLOBAL PROPERTY TESSERA_MPI_OTHERS)
    message(FATAL_ERROR "no mpiexec or mpirun of ${mpi_name_${TESSERA_MPI_KIND}} in ${mpi_bin_dir}, MPI_HOME or PATH${others}. "
            "Install it (scripts/deps on Debian), or name a launcher with -DMPIEXEC_EXECUTABLE=...")
  endif()
endif()

find_package(MPI REQUIRED COMPONENTS C)

configure_file(scripts/mpirun.in "${PROJECT_BINARY_DIR}/mpirun" @ONLY
               FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
