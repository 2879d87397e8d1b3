# find_package(DART-TESSERA): asked for by the CMake package of a DASH that was built with DART_IMPLEMENTATIONS=tessera. The target
# dart-tessera is tessera::dart with what DASH's headers need; DASH's variable DASH_LIBRARIES names it.
include(CMakeFindDependencyMacro)
find_dependency(Tessera COMPONENTS dart PATHS "${CMAKE_CURRENT_LIST_DIR}/../Tessera" NO_DEFAULT_PATH)

# DASH installs its own copy of the DART headers, and its target names their folder.
get_target_property(dart_tessera_folders tessera::dart INTERFACE_INCLUDE_DIRECTORIES)
include_directories(BEFORE ${dart_tessera_folders})

if(NOT TARGET dart-tessera)
  add_library(dart-tessera INTERFACE IMPORTED)
  target_link_libraries(dart-tessera INTERFACE tessera::dart)
  target_compile_definitions(dart-tessera INTERFACE DASH_MPI_IMPL_ID=${Tessera_MPI} MPICH_SKIP_MPICXX OMPI_SKIP_MPICXX)
endif()
