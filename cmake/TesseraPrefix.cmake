# One prefix holds one Tessera, because the file names do not depend on the MPI. An installation into the prefix of a
# Tessera for another MPI ends with an error before any file is written; therefore this file is included before all
# install commands. Each installation writes a list of its files, <libdir>/cmake/Tessera/manifest.txt, for `make
# uninstall` (uninstall.cmake).
#
# Packages of a distribution share the prefix /usr. debian/rules gives each MPI folders of its own (TESSERA_DEVDIR and those of
# GNUInstallDirs), and TESSERA_SUFFIX to the names of the libraries, which share a folder.
set(dev_dir "${CMAKE_INSTALL_LIBDIR}")
if(TESSERA_DEVDIR)
  set(dev_dir "${TESSERA_DEVDIR}")
endif()
set(package_dir "${dev_dir}/cmake/Tessera")

install(CODE "
  set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  set(config \"\${root}/${package_dir}/TesseraConfig.cmake\")
  if(EXISTS \"\${config}\")
    file(STRINGS \"\${config}\" mpi REGEX \"^set.Tessera_MPI \")
    string(REGEX MATCH \"mpich|openmpi\" mpi \"\${mpi}\")
    if(mpi AND NOT mpi STREQUAL \"${TESSERA_MPI_KIND}\")
      message(FATAL_ERROR \"\${root} holds a Tessera for \${mpi} (\${config} tells it), which this one for ${TESSERA_MPI_KIND} would \"
                          \"overwrite. Install into another prefix, or remove the other first: make uninstall PREFIX=\${CMAKE_INSTALL_PREFIX}\")
    endif()
  endif()")

# To be called after all that is installed.
function(tessera_install_manifest)
  install(CODE "
    set(manifest \"${package_dir}/manifest.txt\")
    set(files \"\")
    foreach(file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
      string(APPEND files \"\${file}\\n\")
    endforeach()
    file(WRITE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${manifest}\" \"\${files}\${manifest}\\n\")")
endfunction()
