# Headers, pkg-config files and the CMake package. The libraries themselves are installed where they are made.
#
# <prefix>/include                 tessera.h, tessera/
# <prefix>/include/tessera-faces   headers whose names are fixed by standards (dash/dart/if/dart.h ...), in a folder of their
#                                  own, so that they do not hide other headers of the same name; those without a folder in
#                                  their name are in a folder of their interface (armci/armci.h, included as armci.h)
# <prefix>/lib/tessera-gasnet      the layout that builds of GASNet programs expect: see TesseraGasnet.cmake
# <prefix>/lib/tessera-armci       the layout that builds of ARMCI programs expect, such as EXTERNAL_ARMCI_PATH of NWChem
# <prefix>/share/man               man pages, made from headers and sources; not without Python
# <prefix>/share/tessera/examples  the examples, a project that finds the CMake package
# <prefix>/share/tessera/plot      what bin/tessera-plot runs
# <prefix>/bin/tessera-osh*        wrappers of the compilers and of the launcher: see TesseraShmem.cmake
# <prefix>/share/bash-completion   completion of the tools in bash; and in zsh, in share/zsh/site-functions
include(CMakePackageConfigHelpers)

install(DIRECTORY include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN api EXCLUDE)
set(api_headers "${CMAKE_INSTALL_INCLUDEDIR}/tessera-faces")
install(DIRECTORY include/api/ DESTINATION "${api_headers}" FILES_MATCHING PATTERN "*.h")

install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DATADIR}/tessera")

# In the build directory the tool runs what is in the sources.
set(plot_folder "${PROJECT_SOURCE_DIR}/bench")
configure_file(packaging/tessera-plot.in tools/tessera-plot @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(RELATIVE_PATH bin_to_data "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_DATADIR}")
set(plot_folder "$here/${bin_to_data}/tessera/plot")
configure_file(packaging/tessera-plot.in tessera-plot @ONLY)
install(PROGRAMS "${PROJECT_BINARY_DIR}/tessera-plot" DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES bench/plot.py bench/pictures.py DESTINATION "${CMAKE_INSTALL_DATADIR}/tessera/plot")

find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
  set(man_dir "${PROJECT_BINARY_DIR}/man")
  file(GLOB_RECURSE man_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/*.h" "${PROJECT_SOURCE_DIR}/docs/man/*"
    "${PROJECT_SOURCE_DIR}/docs/concepts.md" "${PROJECT_SOURCE_DIR}/docs/memory-model.md" "${PROJECT_SOURCE_DIR}/src/*.[ch]")
  add_custom_command(OUTPUT "${man_dir}/man7/tessera.7"
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/scripts/man-pages" "${man_dir}" "$<TARGET_FILE:tessera-info>"
    DEPENDS ${man_sources} "${PROJECT_SOURCE_DIR}/scripts/man-pages" "${PROJECT_SOURCE_DIR}/scripts/guide_pages.py"
      "${PROJECT_SOURCE_DIR}/scripts/header_comments.py" "${PROJECT_SOURCE_DIR}/scripts/header_macros.py"
      "${PROJECT_SOURCE_DIR}/scripts/messages.py" tessera-info
    VERBATIM)
  add_custom_target(man-pages ALL DEPENDS "${man_dir}/man7/tessera.7")
  add_dependencies(installed man-pages)
  install(DIRECTORY "${man_dir}/" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT man) # thousands of files: tests leave them out
endif()

# bash looks for a file with the name of the tool; zsh reads the names in the first line of each file.
foreach(tool IN ITEMS tessera-info tessera-perf tessera-plot tessera-trace tessera-tune tessera-oshcc tessera-oshc++ tessera-oshrun)
  if(TARGET ${tool} OR NOT tool STREQUAL tessera-trace) # it is left out without zlib
    install(FILES packaging/completion.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME ${tool})
  endif()
endforeach()
install(FILES packaging/completion.zsh DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" RENAME _tessera)

install(EXPORT tessera FILE TesseraTargets.cmake NAMESPACE tessera:: DESTINATION "${package_dir}")
get_property(apis GLOBAL PROPERTY TESSERA_APIS)
list(JOIN apis ", " tessera_components)
string(PREPEND tessera_components "tessera, ")
set(tessera_also_static)
if(TESSERA_STATIC)
  set(tessera_also_static ", each also with _static appended")
endif()
configure_package_config_file(packaging/TesseraConfig.cmake.in TesseraConfig.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(TesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/TesseraConfig.cmake" "${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/TesseraFindGa.cmake" DESTINATION "${package_dir}")
install(FILES packaging/dart-tessera-config.cmake DESTINATION "${dev_dir}/cmake/dart-tessera")

# The prefix is found from the file's own place, so that an installed tree may be moved or staged.
set(pc_dir "${dev_dir}/pkgconfig")
file(RELATIVE_PATH pc_to_prefix "/${pc_dir}" "/")
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND "-isystem " OUTPUT_VARIABLE pc_mpi_cflags)
list(JOIN pc_mpi_cflags " " pc_mpi_cflags)
set(private_libs ${MPI_C_LIBRARIES})
if(TESSERA_HAVE_HWLOC)
  list(APPEND private_libs "${HWLOC_LIBRARY}")
endif()
list(JOIN private_libs " " pc_private_libs)

# What is told to programs that are linked with the installed libraries: none where the system finds those anyway.
set(pc_rpath "-Wl,-rpath,\${libdir}")
set(mak_rpath "-Wl,-rpath,$(GASNET_PREFIX)/${CMAKE_INSTALL_LIBDIR}")
set(mak_tools_rpath "-Wl,-rpath,$(GASNETTOOLS_PREFIX)/${CMAKE_INSTALL_LIBDIR}")
set(osh_rpath "-Wl,-rpath,\"$libdir\"")
if(CMAKE_SKIP_INSTALL_RPATH)
  set(pc_rpath)
  set(mak_rpath)
  set(mak_tools_rpath)
  set(osh_rpath)
endif()

# Aliases may be in another folder than the libraries.
set(pc_alias_dirs "-L\${libdir}")
set(mak_alias_dirs "-L$(GASNET_PREFIX)/${CMAKE_INSTALL_LIBDIR}")
if(NOT dev_dir STREQUAL CMAKE_INSTALL_LIBDIR)
  string(APPEND pc_alias_dirs " -L\${prefix}/${dev_dir}")
  string(APPEND mak_alias_dirs " -L$(GASNET_PREFIX)/${dev_dir}")
endif()

# DASH links a DART implementation NAME as -ldart-NAME, Global Arrays links ARMCI as -larmci. The shared alias is a
# link; the static one is a linker script, because a program that asks for one library needs several.
function(tessera_add_alias alias api)
  set(alias_so "${PROJECT_BINARY_DIR}/lib${alias}.so")
  file(RELATIVE_PATH target "/${dev_dir}" "/${CMAKE_INSTALL_LIBDIR}/libtessera-${api}${TESSERA_SUFFIX}.so")
  file(CREATE_LINK "${target}" "${alias_so}" SYMBOLIC)
  install(FILES "${alias_so}" DESTINATION "${dev_dir}")
  if(TESSERA_STATIC)
    configure_file(packaging/alias.a.in lib${alias}.a @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/lib${alias}.a" DESTINATION "${dev_dir}")
  endif()
endfunction()
tessera_add_alias(dart-tessera dart)
tessera_add_alias(armci armci)

# tessera_add_prefix(API [FOLDER:TARGET]...): <libdir>/tessera-API with include and lib, for builds that ask for one prefix.
function(tessera_add_prefix api)
  set(stage "${PROJECT_BINARY_DIR}/prefix/${api}")
  file(MAKE_DIRECTORY "${stage}")
  foreach(pair IN ITEMS "include:${api_headers}/${api}" "lib:${dev_dir}" LISTS ARGN)
    string(REGEX MATCH "^([a-z]+):(.*)$" pair "${pair}")
    file(RELATIVE_PATH target "/${dev_dir}/tessera-${api}" "/${CMAKE_MATCH_2}")
    file(CREATE_LINK "${target}" "${stage}/${CMAKE_MATCH_1}" SYMBOLIC)
    install(FILES "${stage}/${CMAKE_MATCH_1}" DESTINATION "${dev_dir}/tessera-${api}")
  endforeach()
endfunction()
tessera_add_prefix(armci)
include(TesseraGasnet)
include(TesseraShmem)

configure_file(packaging/tessera.pc.in tessera.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tessera.pc" DESTINATION "${pc_dir}")
foreach(api IN LISTS apis)
  set(api_cflags "-I\${includedir}/tessera-faces")
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/include/api/${api}")
    string(APPEND api_cflags " -I\${includedir}/tessera-faces/${api}")
  endif()
  configure_file(packaging/tessera-api.pc.in tessera-${api}.pc @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/tessera-${api}.pc" DESTINATION "${pc_dir}")
endforeach()

# Global Arrays over our ARMCI, for C, and with the size of integers that it was compiled for, for Fortran. All
# libraries stand here in their order, which modules that require each other would not keep: Global Arrays, ours before
# MPI, whose MPI_Init ours replaces. None of them is looked for now.
set(mpi ${TESSERA_MPI_KIND})
string(CONFIGURE "${TESSERA_GA_NUMERICS}" ga_numerics @ONLY)
list(TRANSFORM ga_numerics PREPEND "-l:")
list(JOIN ga_numerics " " ga_numerics)
list(JOIN MPI_C_LIBRARIES " " ga_mpi_libs)
foreach(ga_name IN ITEMS ga ga-fortran)
  set(ga_language C)
  set(ga_fflags)
  if(ga_name STREQUAL ga-fortran)
    set(ga_language Fortran)
    set(ga_fflags "-fdefault-integer-8 ")
  endif()
  configure_file(packaging/tessera-ga.pc.in tessera-${ga_name}.pc @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/tessera-${ga_name}.pc" DESTINATION "${pc_dir}")
endforeach()
