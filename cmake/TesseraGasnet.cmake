# What builds of GASNet's programs look for, by GASNet's own names. There is one library; each conduit and thread mode
# is a name of it. mpi is what programs ask for that know conduits by name, smp what they ask for on one machine; no
# more are pretended.
#
# <libdir>/libgasnet-CONDUIT-MODE.so .a     what -lgasnet-mpi-seq finds
# <libdir>/pkgconfig/gasnet-CONDUIT-MODE.pc
# <headers>/CONDUIT-conduit/CONDUIT-MODE.mak, gasnet_tools-MODE.mak       makefile fragments
# <bindir>/gasnetrun_CONDUIT                launchers
# <libdir>/tessera-gasnet                   include and lib as in a prefix of GASNet's: what builds call GASNET_ROOT
set(gasnet_headers "${api_headers}/gasnet")
set(gasnet_stage "${PROJECT_BINARY_DIR}/gasnet")

# Programs that know conduits need the name of one. They assume that smp has no process on another node, and that with
# mpi they may call MPI.
set(gasnet_mpi_defines " -DGASNET_CONDUIT_MPI=1")
set(gasnet_smp_defines " -DGASNET_CONDUIT_SMP=1")
set(gasnet_mpi_ld "${MPI_C_COMPILER}")
set(gasnet_smp_ld cc)
set(gasnet_mpi_wants_mpi 1)
set(gasnet_smp_wants_mpi "")

foreach(conduit IN ITEMS mpi smp)
  set(gasnet_ld "${gasnet_${conduit}_ld}")
  set(gasnet_wants_mpi "${gasnet_${conduit}_wants_mpi}")
  foreach(mode IN ITEMS seq par parsync)
    string(TOUPPER ${mode} MODE)
    set(gasnet_defines "-DGASNET_${MODE}${gasnet_${conduit}_defines}")
    if(NOT mode STREQUAL seq)
      string(APPEND gasnet_defines " -D_REENTRANT")
    endif()
    file(RELATIVE_PATH to_prefix "/${gasnet_headers}/${conduit}-conduit" "/")
    configure_file(packaging/gasnet.mak.in "${gasnet_stage}/${conduit}-${mode}.mak" @ONLY)
    configure_file(packaging/gasnet.pc.in "${gasnet_stage}/gasnet-${conduit}-${mode}.pc" @ONLY)
    install(FILES "${gasnet_stage}/${conduit}-${mode}.mak" DESTINATION "${gasnet_headers}/${conduit}-conduit")
    install(FILES "${gasnet_stage}/gasnet-${conduit}-${mode}.pc" DESTINATION "${pc_dir}")
    tessera_add_alias(gasnet-${conduit}-${mode} gasnet)
  endforeach()
  configure_file(packaging/gasnetrun.in "${gasnet_stage}/gasnetrun_${conduit}" @ONLY)
  install(PROGRAMS "${gasnet_stage}/gasnetrun_${conduit}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()

foreach(mode IN ITEMS seq par)
  set(gasnettools_define SINGLE)
  if(mode STREQUAL par)
    set(gasnettools_define SAFE)
  endif()
  file(RELATIVE_PATH to_prefix "/${gasnet_headers}" "/")
  configure_file(packaging/gasnet_tools.mak.in "${gasnet_stage}/gasnet_tools-${mode}.mak" @ONLY)
  install(FILES "${gasnet_stage}/gasnet_tools-${mode}.mak" DESTINATION "${gasnet_headers}")
endforeach()

tessera_add_prefix(gasnet "bin:${CMAKE_INSTALL_BINDIR}")
