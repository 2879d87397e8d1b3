# The libraries: libtessera, and one libtessera-API for each interface; each shared and static.
#
# Which symbols leave a shared library is said by its version script alone (cmake/LIBRARY.map): the interfaces and tools
# need the internal tsr_ symbols of libtessera, so those are exported under a version of their own. Everything else
# is local. In the static libraries the same symbols are hidden, so that they do not leave a program's own shared library.
#
# The static libraries hold plain machine code and are compiled apart from the shared ones: objects for link-time
# optimisation would bind their users to one compiler. With TESSERA_SHARE_OBJECTS, for builds that are only tested, both are made
# of the same objects, without that optimisation: the static libraries' symbols are not hidden then. Only sources that ask for
# TSR_SHARED are compiled twice.

# hwloc is named by path, so that the installed package needs no search of its own.
if(TESSERA_HWLOC)
  find_path(HWLOC_INCLUDE_DIR hwloc.h)
  find_library(HWLOC_LIBRARY hwloc)
  if(HWLOC_INCLUDE_DIR AND HWLOC_LIBRARY)
    set(TESSERA_HAVE_HWLOC ON)
  else()
    message(STATUS "hwloc not found: the topology will be read from the system (libhwloc-dev has it)")
  endif()
endif()

# UCX is opened at run time, so only its headers are needed.
if(TESSERA_UCX)
  find_path(UCX_INCLUDE_DIR ucp/api/ucp.h)
  if(UCX_INCLUDE_DIR)
    set(TESSERA_HAVE_UCX ON)
  else()
    message(STATUS "UCX's headers not found: there will be no TESSERA_NET=ucx (libucx-dev has them)")
  endif()
endif()

# So is libdw, which names lines of the program in errors.
if(TESSERA_DW)
  find_path(DW_INCLUDE_DIR elfutils/libdwfl.h)
  if(DW_INCLUDE_DIR)
    set(TESSERA_HAVE_DW ON)
  else()
    message(STATUS "libdw's headers not found: errors will not name lines of the program (libdw-dev has them)")
  endif()
endif()

set(asks_shared "/net/mpi/(own|weak)\\.c")

# tessera_add_library(NAME EXPORT_NAME SOURCES...)
function(tessera_add_library name export_name)
  add_library(${name} SHARED ${ARGN})
  if(TESSERA_SHARE_OBJECTS)
    list(FILTER ARGN INCLUDE REGEX "${asks_shared}$")
    list(APPEND ARGN "$<FILTER:$<TARGET_OBJECTS:${name}>,EXCLUDE,${asks_shared}\\.o$>")
  endif()
  add_library(${name}_static STATIC ${ARGN})
  set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name}${TESSERA_SUFFIX} C_VISIBILITY_PRESET hidden)
  if(NOT TESSERA_STATIC)
    set_target_properties(${name}_static PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  target_compile_definitions(${name} PRIVATE TSR_SHARED)

  set(map "${PROJECT_SOURCE_DIR}/cmake/${name}.map")
  target_link_options(${name} PRIVATE "-Wl,--version-script=${map}" -Wl,-Bsymbolic ${TESSERA_NO_UNDEFINED})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME ${name}${TESSERA_SUFFIX} VERSION ${PROJECT_VERSION} SOVERSION 0 LINK_DEPENDS "${map}" INSTALL_RPATH "$ORIGIN")
  if(TESSERA_LTO_WORKS AND NOT TESSERA_SHARE_OBJECTS)
    set_target_properties(${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
  endif()

  foreach(suffix IN ITEMS "" _static)
    add_library(tessera::${export_name}${suffix} ALIAS ${name}${suffix})
    set_target_properties(${name}${suffix} PROPERTIES EXPORT_NAME ${export_name}${suffix})
    target_include_directories(${name}${suffix} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${name}${suffix} PRIVATE $<BUILD_INTERFACE:tessera_build>)
    if(TESSERA_STATIC OR suffix STREQUAL "")
      install(TARGETS ${name}${suffix} EXPORT tessera)
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TESSERA_LIBRARIES ${name} $<$<BOOL:${TESSERA_STATIC}>:${name}_static>)
endfunction()

# libtessera: everything below the interfaces, and the native one.
function(tessera_add_core)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.c")
  list(FILTER sources EXCLUDE REGEX "/src/api/")
  if(NOT TESSERA_HAVE_UCX)
    list(FILTER sources EXCLUDE REGEX "/src/net/ucx/")
  endif()
  file(GLOB native CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/api/native/*.c")
  tessera_add_library(tessera tessera ${sources} ${native})

  foreach(target IN ITEMS tessera tessera_static)
    target_include_directories(${target} PUBLIC
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    # <tessera/mpi.h> includes <mpi.h>.
    target_include_directories(${target} SYSTEM PUBLIC ${MPI_C_INCLUDE_DIRS})
    target_link_libraries(${target} PRIVATE ${MPI_C_LIBRARIES} pthread ${CMAKE_DL_LIBS})
    if(TESSERA_HAVE_UCX)
      target_compile_definitions(${target} PRIVATE TESSERA_HAVE_UCX)
      target_include_directories(${target} SYSTEM PRIVATE "${UCX_INCLUDE_DIR}")
    endif()
    if(TESSERA_HAVE_DW)
      target_compile_definitions(${target} PRIVATE TESSERA_HAVE_DW)
      target_include_directories(${target} SYSTEM PRIVATE "${DW_INCLUDE_DIR}")
    endif()
    if(TESSERA_HAVE_HWLOC)
      target_compile_definitions(${target} PRIVATE TESSERA_HAVE_HWLOC)
      target_include_directories(${target} SYSTEM PRIVATE "${HWLOC_INCLUDE_DIR}")
      target_link_libraries(${target} PRIVATE "${HWLOC_LIBRARY}")
    endif()
  endforeach()
endfunction()

# tessera_add_api(dart): libtessera-dart from src/api/dart, with cmake/tessera-dart.map and, when the tests check
# it, the list of its symbols in cmake/symbols/tessera-dart.txt. Headers that programs name without a folder are in
# include/api/API, which is then searched.
function(tessera_add_api api)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/api/${api}/*.c")
  tessera_add_library(tessera-${api} ${api} ${sources})
  # A program that names this library and then MPI finds our versions of MPI's calls here; libtessera would come too late.
  target_sources(tessera-${api} PRIVATE "${PROJECT_SOURCE_DIR}/src/net/mpi/weak.c")

  foreach(suffix IN ITEMS "" _static)
    target_include_directories(tessera-${api}${suffix} PUBLIC
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include/api>"
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tessera-faces>")
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/include/api/${api}")
      target_include_directories(tessera-${api}${suffix} PUBLIC
        "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include/api/${api}>"
        "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tessera-faces/${api}>")
    endif()
    target_link_libraries(tessera-${api}${suffix} PUBLIC tessera${suffix})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TESSERA_APIS ${api})
endfunction()
