/* Input and output of a team through parallel HDF5. This header declares its function only if <hdf5.h> is found and
 * was built for MPI (Debian: libhdf5-mpich-dev, libhdf5-openmpi-dev; link with its library). Not part of dart.h. */
#ifndef TESSERA_DART_IO_H
#define TESSERA_DART_IO_H

#if defined(__has_include)
#if __has_include(<hdf5.h>)
#include <hdf5.h>
#endif
#endif

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef H5_HAVE_PARALLEL
#include <dash/dart/if/dart_mpi.h>

/* Makes a team open an HDF5 file together: sets the file access list `plist` to MPI input and output on the team's
 * communicator. HDF5 keeps a copy of the communicator.
 * Who: every unit of the team. Owner: `plist` stays the caller's. Return: files can be opened with it. Threads: one
 * per team. Cost: collective. Errors: DART_ERR_INVAL, DART_ERR_NOMEM; DART_ERR_OTHER: HDF5 failed, and has printed
 * the reason. */
DART_INLINE dart_ret_t dart__io__hdf5__prep_mpio(hid_t plist, dart_team_t team) {
  MPI_Comm comm;
  dart_ret_t result = dart_team_comm(team, &comm);
  if (result != DART_OK) return result;
  return H5Pset_fapl_mpio(plist, comm, MPI_INFO_NULL) < 0 ? DART_ERR_OTHER : DART_OK;
}
#endif

#endif
