/* What Global Arrays does by node: mirrored arrays, of which each node has a copy; arrays that are read only and copied to
 * each node; arrays on disk, written and read by one process of each node. Equal nodes and others.
 * Nodes: 3 */
#include "ga_check.h"

#include <unistd.h>

#include <dra.h>

static const int dims[2] = {60, 45};

/* ---- mirrored ---- */

/* Everybody adds the same values to the copy of its node; then all copies are added up, and all are the same. */
static void mirrored(const struct type *type) {
  struct array a = describe(type, 2, dims);
  struct patch p = whole(&a);
  union scalar one = scalar_of(type, 1);
  char *buffer = take(p.buffer_n * type->bytes);
  a.ga = NGA_Create_config(type->code, 2, a.dims, "mirrored", NULL, GA_Pgroup_get_mirror());
  CHECK(a.ga != 0);
  CHECK_EQ(GA_Is_mirrored(a.ga), GA_Cluster_nnodes() > 1);
  GA_Zero(a.ga);
  fill_buffer(&a, &p, buffer, 1);
  NGA_Acc(a.ga, p.lo, p.hi, buffer, p.ld, &one);
  GA_Sync();
  for (size_t i = 0; i < a.elements_n; i++) a.expected[i] = value_of(i, 1) * GA_Cluster_nprocs(GA_Cluster_nodeid());
  CHECK_EQ(wrong_elements(&a), 0);
  GA_Merge_mirrored(a.ga);
  for (size_t i = 0; i < a.elements_n; i++) a.expected[i] = value_of(i, 1) * units_n;
  CHECK_EQ(wrong_elements(&a), 0);
  GA_Sync();
  free(buffer);
  drop(&a);
}

/* To one that is not, and back. */
static void copies_mirrored(void) {
  struct array plain = make(type_double, 2, dims), copy = describe(type_double, 2, dims);
  copy.ga = NGA_Create_config(C_DBL, 2, copy.dims, "mirrored", NULL, GA_Pgroup_get_mirror());
  CHECK(copy.ga != 0);
  set_values(&plain, 2);
  GA_Copy(plain.ga, copy.ga);
  memcpy(copy.expected, plain.expected, plain.elements_n * sizeof *plain.expected);
  CHECK_EQ(wrong_elements(&copy), 0);
  GA_Sync();
  GA_Zero(plain.ga);
  GA_Copy(copy.ga, plain.ga);
  CHECK_EQ(wrong_elements(&plain), 0);
  CHECK(GA_Ddot(copy.ga, copy.ga) == GA_Ddot(plain.ga, plain.ga));
  GA_Sync();
  drop(&copy);
  drop(&plain);
}

/* ---- read only ---- */

static void read_only(const struct type *type, const char *kind) {
  char property[16];
  struct array a = make(type, 2, dims);
  set_values(&a, 3);
  snprintf(property, sizeof property, "%s", kind);
  NGA_Set_property(a.ga, property);
  for (int round = 0; round < 2; round++) CHECK_EQ(wrong_elements(&a), 0);
  GA_Sync();
  NGA_Unset_property(a.ga);
  CHECK_EQ(wrong_elements(&a), 0);
  GA_Sync();
  drop(&a);
}

/* ---- on disk ---- */

static void wait_for(int request) { CHECK_EQ(DRA_Wait(request), 0); }

/* Part of what is on disk, somewhere else in the array. */
static void read_section(struct array *a, int disk) {
  int lo[2] = {3, 4}, hi[2] = {22, 13}, request;
  dra_size_t from[2] = {10, 20}, to[2] = {29, 29};
  GA_Zero(a->ga);
  CHECK_EQ(NDRA_Read_section(0, a->ga, lo, hi, disk, from, to, &request), 0);
  wait_for(request);
  memset(a->expected, 0, a->elements_n * sizeof *a->expected);
  for (int i = lo[0]; i <= hi[0]; i++)
    for (int j = lo[1]; j <= hi[1]; j++)
      a->expected[place(a, (int[]){i, j})] = value_of(place(a, (int[]){i + 7, j + 16}), 5);
  CHECK_EQ(wrong_elements(a), 0);
  GA_Sync();
}

static void on_disk(char *file) {
  struct array a = make(type_double, 2, dims), b = make(type_double, 2, dims);
  dra_size_t shape[2] = {dims[0], dims[1]}, usual[2] = {20, dims[1]};
  char name[] = "array";
  int disk, request;
  set_values(&a, 5);
  CHECK_EQ(DRA_Init(4, 1e7, 1e8, 1e6), 0);
  CHECK_EQ(NDRA_Create(C_DBL, 2, shape, name, file, DRA_RW, usual, &disk), 0);
  CHECK_EQ(NDRA_Write(a.ga, disk, &request), 0);
  wait_for(request);
  CHECK_EQ(DRA_Close(disk), 0);
  CHECK_EQ(DRA_Open(file, DRA_RW, &disk), 0);
  CHECK_EQ(NDRA_Read(b.ga, disk, &request), 0);
  wait_for(request);
  memcpy(b.expected, a.expected, a.elements_n * sizeof *a.expected);
  CHECK_EQ(wrong_elements(&b), 0);
  GA_Sync();
  read_section(&b, disk);
  CHECK_EQ(DRA_Delete(disk), 0);
  CHECK_EQ(DRA_Terminate(), 0);
  drop(&b);
  drop(&a);
}

/* In a folder of its own, which everybody is told. */
static void in_folder(void) {
  char folder[128], file[160];
  const char *parent = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/ga_nodes_XXXXXX", parent ? parent : "/tmp");
  if (self == 0 && !mkdtemp(folder)) GA_Error("no folder", 1);
  GA_Brdcst(folder, sizeof folder, 0);
  snprintf(file, sizeof file, "%s/array", folder);
  on_disk(file);
  if (self == 0) CHECK_EQ(rmdir(folder), 0);
}

int main(int argc, char **argv) {
  start(&argc, &argv, MA_DOUBLES);
  for (size_t i = 0; i < TYPES_N; i++) mirrored(&types[i]);
  copies_mirrored();
  read_only(type_int, "read_only");
  read_only(type_double, "read_only");
  read_only(type_double, "read_cache");
  in_folder();
  return finish();
}
