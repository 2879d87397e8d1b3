/* Teams write one file together through HDF5 and read it back. Skipped if HDF5 for this MPI is not installed. */
#include "dart_check.h"

#include <dash/dart/if/dart_io.h>

#ifndef H5_HAVE_PARALLEL

int main(void) {
  puts("skipped: no HDF5 for this MPI");
  return check_skip();
}

#else

#include <unistd.h>

enum { ROWS = 5, NAME_BYTES = 256 };

/* One name for all units, of a file that unit 0 creates. */
static void name_file(char *name) {
  const char *folder = getenv("TMPDIR");
  if (self == 0) {
    snprintf(name, NAME_BYTES, "%s/tessera-hdf5.XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(name);
    CHECK(file >= 0);
    close(file);
  }
  OK(dart_bcast(name, NAME_BYTES, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
}

static hid_t team_access(dart_team_t team) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  OK(dart__io__hdf5__prep_mpio(access, team));
  return access;
}

/* This unit's rows of the data set, and their collective transfer. */
struct part {
  hid_t memory, file, together;
};

static struct part own_part_of(hid_t space, hsize_t first) {
  hsize_t count = ROWS;
  struct part part = {H5Screate_simple(1, &count, NULL), space, H5Pcreate(H5P_DATASET_XFER)};
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL) >= 0);
  CHECK(H5Pset_dxpl_mpio(part.together, H5FD_MPIO_COLLECTIVE) >= 0);
  return part;
}

static void close_part(struct part part) {
  H5Pclose(part.together);
  H5Sclose(part.memory);
  H5Sclose(part.file);
}

static void write_file(const char *name, dart_team_t team) {
  hsize_t rows = ROWS * (hsize_t)team_units_n(team);
  hid_t access = team_access(team), space = H5Screate_simple(1, &rows, NULL);
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t data = H5Dcreate2(file, "rows", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  struct part part = own_part_of(space, ROWS * (hsize_t)team_self(team));
  int values[ROWS];
  for (int i = 0; i < ROWS; i++) values[i] = 1000 * self + i;
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, part.memory, part.file, part.together, values) >= 0);
  close_part(part);
  H5Dclose(data);
  CHECK(H5Fclose(file) >= 0);
  H5Pclose(access);
}

/* Reads the rows of the next unit of the team. */
static void read_file(const char *name, dart_team_t team) {
  dart_global_unit_t next = {-1};
  dart_unit_t member = (team_self(team) + 1) % team_units_n(team);
  hid_t access = team_access(team), file = H5Fopen(name, H5F_ACC_RDONLY, access);
  hid_t data = H5Dopen2(file, "rows", H5P_DEFAULT);
  struct part part = own_part_of(H5Dget_space(data), ROWS * (hsize_t)member);
  int values[ROWS] = {0};
  CHECK(H5Dread(data, H5T_NATIVE_INT, part.memory, part.file, part.together, values) >= 0);
  OK(dart_team_unit_l2g(team, DART_TEAM_UNIT_ID(member), &next));
  for (int i = 0; i < ROWS; i++) CHECK_EQ(values[i], 1000 * next.id + i);
  close_part(part);
  H5Dclose(data);
  CHECK(H5Fclose(file) >= 0);
  H5Pclose(access);
}

static void through_file(const char *name, dart_team_t team) {
  write_file(name, team);
  OK(dart_barrier(team));
  read_file(name, team);
  OK(dart_barrier(team));
}

int main(int argc, char **argv) {
  char name[NAME_BYTES] = {0};
  start(&argc, &argv);
  name_file(name);
  through_file(name, DART_TEAM_ALL);
  barrier();
  dart_team_t odd = team_of(ODD_UNITS);
  if (odd != DART_TEAM_NULL) through_file(name, odd);
  OK(dart_team_destroy(&odd));
  CHECK_EQ(dart__io__hdf5__prep_mpio(H5P_DEFAULT, DART_TEAM_NULL), DART_ERR_INVAL);
  barrier();
  if (self == 0) unlink(name);
  return finish();
}

#endif
