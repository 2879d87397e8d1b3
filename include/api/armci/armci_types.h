/* ARMCI: types and constants. The layout of everything here is that of ARMCI-MPI, so that libraries which were compiled
 * with its headers, such as Debian's Global Arrays, link unchanged; programs that use names only do not see it. */
#ifndef TESSERA_ARMCI_TYPES_H
#define TESSERA_ARMCI_TYPES_H

/* In C++ these bring templates, also where a program says extern "C" around our headers. Open MPI's own C++ calls, which MPI
 * took back, would have to be linked. */
#ifdef __cplusplus
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
extern "C++" {
#endif
#include <stddef.h>
#include <stdlib.h> /* old programs rely on it */

#include <mpi.h>
#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#define TESSERA_ARMCI_API __attribute__((visibility("default")))
#define TESSERA_ARMCI_PRINTS __attribute__((format(printf, 1, 2)))
#else
#define TESSERA_ARMCI_API
#define TESSERA_ARMCI_PRINTS
#endif

/* Bytes of an allocation. */
typedef long armci_size_t;

/* What an accumulate adds up: int, long, float, double, and pairs (real, imaginary) of float and of double. */
enum ARMCI_Acc_e { ARMCI_ACC_INT, ARMCI_ACC_LNG, ARMCI_ACC_FLT, ARMCI_ACC_DBL, ARMCI_ACC_CPL, ARMCI_ACC_DCP };

/* What ARMCI_Rmw does, to an int or to a long. */
enum ARMCI_Rmw_e { ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG };

/* Levels of a strided transfer besides the contiguous one: count arrays have at most one entry more. */
#define ARMCI_MAX_STRIDE_LEVEL 8

/* A set of equally long pieces: piece i goes from src_ptr_array[i] to dst_ptr_array[i]. Initialise it by names: the order of
 * the two numbers differs between implementations. */
typedef struct armci_giov_s {
  void **src_ptr_array;
  void **dst_ptr_array;
  int bytes;         /* of each piece */
  int ptr_array_len; /* pieces */
} armci_giov_t;

/* A non-blocking handle: ARMCI_INIT_HANDLE before its first use. The members are the library's. */
typedef struct armci_hdl_s {
  int target;
  int aggregate;
} armci_hdl_t;

typedef armci_hdl_t armci_req_t; /* an older name of it */

/* The description of memory that one process made by ARMCI_Memget; a value that may be sent to others. */
typedef struct armci_meminfo_ds {
  char *armci_addr; /* where it begins, for transfers; NULL: it was freed */
  char *addr;       /* the same, for loads and stores of the process that made it */
  size_t size;      /* bytes */
  int cpid;         /* the process that made it */
  long idlist[128]; /* not used */
} armci_meminfo_t;

/* A group of processes; a value that may be copied. `comm` holds the members in the order of their ranks; the library owns
 * it. The other members are the library's. */
typedef struct armci_group_s {
  MPI_Comm comm;
  MPI_Comm reserved;
  int *grp_to_abs;
  int *abs_to_grp;
  int rank;
  int size;
} ARMCI_Group;

/* How processes are grouped by hardware: by shared memory. */
enum armci_domain_e { ARMCI_DOMAIN_SMP };
typedef int armci_domain_t;

/* Who takes part in a call of message.h: the default group's members, those in the caller's domain, the first of each domain. */
enum armci_scope_e { SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS };

/* The elements of a reduction. Old programs define classic ARMCI's numbers of them themselves, before they include this. */
#undef ARMCI_INT
#undef ARMCI_LONG
#undef ARMCI_LONG_LONG
#undef ARMCI_FLOAT
#undef ARMCI_DOUBLE
enum armci_type_e { ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE };

/* What calls return for wrong arguments, the log says which. Programs that have such names of their own keep them. */
#ifndef FAIL
#define FAIL (-1)  /* not initialised, or nothing more special */
#define FAIL2 (-2) /* a null pointer */
#define FAIL3 (-3) /* a negative number of bytes, pieces or repeats */
#define FAIL4 (-4) /* levels out of range */
#define FAIL5 (-5) /* no such process */
#define FAIL6 (-6) /* an address that is in no allocation of the process */
#define FAIL7 (-7) /* a handle that is not what it should be */
#define FAIL8 (-8) /* no memory */
#endif

#endif
