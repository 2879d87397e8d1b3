/* ARMCI: types and constants. All layouts are those of ARMCI-MPI, so that libraries that were compiled with its
 * headers, such as Debian's Global Arrays, link unchanged. Programs that use the names only are not affected. */
#ifndef TESSERA_ARMCI_TYPES_H
#define TESSERA_ARMCI_TYPES_H

/* In C++ these headers contain templates, which would not compile if a program includes this header inside extern
 * "C". OMPI_SKIP_MPICXX avoids Open MPI's C++ functions, which MPI has withdrawn and which would have to be linked. */
#ifdef __cplusplus
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
extern "C++" {
#endif
#include <stddef.h>
#include <stdlib.h> /* old programs rely on this include */

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

/* Size of an allocation in bytes. */
typedef long armci_size_t;

/* Element types of an accumulate: int, long, float, double, and pairs (real, imaginary) of float and of double. ARMCI_ACC_RA,
 * for RandomAccess: elements are long, and the accumulate is destination ^= source; the scale is not used, and may be NULL. */
enum ARMCI_Acc_e {
  ARMCI_ACC_INT,
  ARMCI_ACC_LNG,
  ARMCI_ACC_FLT,
  ARMCI_ACC_DBL,
  ARMCI_ACC_CPL,
  ARMCI_ACC_DCP,
  ARMCI_ACC_RA
};

/* Operations of ARMCI_Rmw, on an int or a long. */
enum ARMCI_Rmw_e { ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG };

/* Largest number of levels of a strided transfer, not counting the contiguous one: arrays of counts have at most one
 * entry more. */
#define ARMCI_MAX_STRIDE_LEVEL 8

/* A set of pieces of equal length: piece i is copied from src_ptr_array[i] to dst_ptr_array[i]. Initialise the
 * members by name, because the order of the two numbers differs between implementations. */
typedef struct armci_giov_s {
  void **src_ptr_array;
  void **dst_ptr_array;
  int bytes;         /* length of each piece */
  int ptr_array_len; /* number of pieces */
} armci_giov_t;

/* A handle of non-blocking operations. Call ARMCI_INIT_HANDLE before its first use. The members are private to the
 * library. */
typedef struct armci_hdl_s {
  int target;
  int aggregate;
} armci_hdl_t;

typedef armci_hdl_t armci_req_t; /* an older name of armci_hdl_t */

/* The description of memory that one process allocated by ARMCI_Memget; a value that may be sent to others. */
typedef struct armci_meminfo_ds {
  char *armci_addr; /* start of the memory, for transfers; NULL: it was freed */
  char *addr;       /* start of the memory, for loads and stores of the allocating process */
  size_t size;      /* bytes */
  int cpid;         /* the allocating process */
  long idlist[128]; /* not used */
} armci_meminfo_t;

/* A group of processes; a value that may be copied. `comm` holds the members in the order of their ranks; the library
 * owns it. The other members of the structure are private to the library. */
typedef struct armci_group_s {
  MPI_Comm comm;
  MPI_Comm reserved;
  int *grp_to_abs;
  int *abs_to_grp;
  int rank;
  int size;
} ARMCI_Group;

/* Domains of processes: those that share memory. */
enum armci_domain_e { ARMCI_DOMAIN_SMP };
typedef int armci_domain_t;

/* Scope of a call of message.h: all members of the default group, those in the caller's domain, or the first of each
 * domain. */
enum armci_scope_e { SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS };

/* Element types of a reduction. Old programs define these names with classic ARMCI's numbers before they include this
 * header. */
#undef ARMCI_INT
#undef ARMCI_LONG
#undef ARMCI_LONG_LONG
#undef ARMCI_FLOAT
#undef ARMCI_DOUBLE
enum armci_type_e { ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE };

/* Return values for wrong arguments; the log names the argument. If a program defines these names itself, its
 * definitions are kept. */
#ifndef FAIL
#define FAIL (-1)  /* not initialised, or an error without a code of its own */
#define FAIL2 (-2) /* a null pointer */
#define FAIL3 (-3) /* a negative number of bytes, pieces or repeats */
#define FAIL4 (-4) /* levels out of range */
#define FAIL5 (-5) /* no such process */
#define FAIL6 (-6) /* an address outside all allocations of the process */
#define FAIL7 (-7) /* a handle in the wrong state */
#define FAIL8 (-8) /* no memory */
#endif

#endif
