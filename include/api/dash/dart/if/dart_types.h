/* Types and constants of the DART interface. Numeric values, sizes and layouts are the published ones, because
 * compiled programs contain them. */
#ifndef TESSERA_DART_TYPES_H
#define TESSERA_DART_TYPES_H

#include <limits.h> /* programs rely on it */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <dash/dart/if/dart_util.h>

/* Status codes that calls return. */
typedef enum {
  DART_OK = 0,
  DART_PENDING = 1, /* never returned */
  DART_ERR_INVAL = 2,
  DART_ERR_NOTFOUND = 3,
  DART_ERR_NOTINIT = 4,
  DART_ERR_NOMEM = 5,
  DART_ERR_OTHER = 999
} dart_ret_t;

/* Exit codes of programs. */
enum {
  DART_EXIT_SUCCESS = EXIT_SUCCESS,
  DART_EXIT_ABORT = EXIT_FAILURE,
  DART_EXIT_ASSERT = -6
};

/* Number of a unit, in DART_TEAM_ALL or in another team. */
typedef int32_t dart_unit_t;
#define DART_UNDEFINED_UNIT_ID ((dart_unit_t)(-1))

/* Number of a unit in DART_TEAM_ALL, and number of a unit in a team. They are different types, so that a mix-up does
 * not compile. */
typedef struct dart_global_unit {
#ifdef __cplusplus
  constexpr dart_global_unit() : id(DART_UNDEFINED_UNIT_ID) {}
  constexpr dart_global_unit(dart_unit_t number) : id(number) {}
#endif
  dart_unit_t id;
} dart_global_unit_t;

typedef struct dart_local_unit {
#ifdef __cplusplus
  constexpr dart_local_unit() : id(DART_UNDEFINED_UNIT_ID) {}
  constexpr dart_local_unit(dart_unit_t number) : id(number) {}
#endif
  dart_unit_t id;
} dart_team_unit_t;

/* The unit with this number in a team. */
DART_INLINE dart_team_unit_t dart_create_team_unit(dart_unit_t unit) {
  dart_team_unit_t typed = {unit};
  return typed;
}
/* The unit with this number among all units. */
DART_INLINE dart_global_unit_t dart_create_global_unit(dart_unit_t unit) {
  dart_global_unit_t typed = {unit};
  return typed;
}
#define DART_TEAM_UNIT_ID(unit) (dart_create_team_unit(unit))
#define DART_GLOBAL_UNIT_ID(unit) (dart_create_global_unit(unit))
#define DART_UNDEFINED_TEAM_UNIT_ID DART_TEAM_UNIT_ID(DART_UNDEFINED_UNIT_ID)
#define DART_UNDEFINED_GLOBAL_UNIT_ID DART_GLOBAL_UNIT_ID(DART_UNDEFINED_UNIT_ID)

/* A team. All members have the same value. */
typedef int16_t dart_team_t;
#define DART_TEAM_ALL ((dart_team_t)0) /* every unit of the job */
#define DART_TEAM_NULL ((dart_team_t)-1)
#define DART_UNDEFINED_TEAM_ID DART_TEAM_NULL

typedef enum {
  DART_THREAD_SINGLE = 0,   /* one thread of the process makes calls */
  DART_THREAD_MULTIPLE = 10 /* any thread may call at any time */
} dart_thread_support_level_t;

typedef struct {
  int log_enabled;
} dart_config_t;

/* Operations of accumulates, fetch-and-op and reductions. Larger values are operations that the program made. */
typedef uintptr_t dart_operation_t;
#define DART_OP_UNDEFINED ((dart_operation_t)0)
#define DART_OP_MIN ((dart_operation_t)1)
#define DART_OP_MAX ((dart_operation_t)2)
#define DART_OP_MINMAX ((dart_operation_t)3) /* reductions only: pairs; each pair counts as two elements */
#define DART_OP_SUM ((dart_operation_t)4)
#define DART_OP_PROD ((dart_operation_t)5)
#define DART_OP_BAND ((dart_operation_t)6)
#define DART_OP_LAND ((dart_operation_t)7)
#define DART_OP_BOR ((dart_operation_t)8)
#define DART_OP_LOR ((dart_operation_t)9)
#define DART_OP_BXOR ((dart_operation_t)10)
#define DART_OP_LXOR ((dart_operation_t)11)
#define DART_OP_REPLACE ((dart_operation_t)12) /* atomics only: the operand */
#define DART_OP_NO_OP ((dart_operation_t)13)   /* atomics only: does not change the target */
#define DART_OP_LAST ((dart_operation_t)14)    /* the number of operations */

/* Positions in a pair of DART_OP_MINMAX. */
#define DART_OP_MINMAX_MIN 0
#define DART_OP_MINMAX_MAX 1

/* Types of elements. Larger values are derived types that the program made. */
typedef intptr_t dart_datatype_t;
#define DART_TYPE_UNDEFINED ((dart_datatype_t)0)
#define DART_TYPE_BYTE ((dart_datatype_t)1) /* 8 bits; in arithmetic unsigned, in DART_OP_MINMAX char */
#define DART_TYPE_SHORT ((dart_datatype_t)2)
#define DART_TYPE_INT ((dart_datatype_t)3)
#define DART_TYPE_UINT ((dart_datatype_t)4)
#define DART_TYPE_LONG ((dart_datatype_t)5)
#define DART_TYPE_ULONG ((dart_datatype_t)6)
#define DART_TYPE_LONGLONG ((dart_datatype_t)7)
#define DART_TYPE_ULONGLONG ((dart_datatype_t)8)
#define DART_TYPE_FLOAT ((dart_datatype_t)9)
#define DART_TYPE_DOUBLE ((dart_datatype_t)10)
#define DART_TYPE_LONG_DOUBLE ((dart_datatype_t)11)
#define DART_TYPE_LAST ((dart_datatype_t)12) /* the number of basic types */

#if SIZE_MAX == UINT64_MAX
#define DART_TYPE_SIZET DART_TYPE_ULONGLONG
#else
#define DART_TYPE_SIZET DART_TYPE_ULONG
#endif

/* Scopes of locality, from the whole job down to one hardware thread; smaller scopes have larger numbers. */
typedef enum {
  DART_LOCALITY_SCOPE_UNDEFINED = -1,
  DART_LOCALITY_SCOPE_GLOBAL = 0,
  DART_LOCALITY_SCOPE_GROUP = 1, /* domains that the program grouped, at any level */
  DART_LOCALITY_SCOPE_NETWORK = 50,
  DART_LOCALITY_SCOPE_NODE = 100,
  DART_LOCALITY_SCOPE_MODULE = 200,
  DART_LOCALITY_SCOPE_NUMA = 300,
  DART_LOCALITY_SCOPE_UNIT = 400, /* one process and its cores */
  DART_LOCALITY_SCOPE_PACKAGE = 500,
  DART_LOCALITY_SCOPE_UNCORE = 510,
  DART_LOCALITY_SCOPE_CACHE = 530,
  DART_LOCALITY_SCOPE_CORE = 550,
  DART_LOCALITY_SCOPE_CPU = 600
} dart_locality_scope_t;

/* Upstream uses the system's HOST_NAME_MAX, which depends on the feature macros of the including program, and changes
 * every size below. Here it is always 64, the value with which upstream's library and DASH are compiled. */
#define DART_LOCALITY_HOST_MAX_SIZE ((int)(64))
#define DART_LOCALITY_DOMAIN_TAG_MAX_SIZE ((int)(32))
#define DART_LOCALITY_MAX_DOMAIN_SCOPES ((int)(12))
#define DART_LOCALITY_UNIT_MAX_CPUS ((int)(64))
#define DART_LOCALITY_MAX_NUMA_ID ((int)(16))
#define DART_LOCALITY_MAX_CACHE_LEVELS ((int)(5))

typedef struct {
  dart_locality_scope_t scope;
  int index; /* among the siblings of that scope */
} dart_locality_scope_pos_t;

/* The hardware of a unit or a domain; -1 means unknown. The size is constant, because programs send it as bytes. */
typedef struct {
  char host[DART_LOCALITY_HOST_MAX_SIZE];
  int num_cores;
  int num_numa;
  int numa_id;
  int num_sockets;
  int core_id;
  int cpu_id;
  int min_cpu_mhz;
  int max_cpu_mhz;
  int cache_sizes[DART_LOCALITY_MAX_CACHE_LEVELS]; /* first level first */
  int cache_line_sizes[DART_LOCALITY_MAX_CACHE_LEVELS];
  int cache_ids[DART_LOCALITY_MAX_CACHE_LEVELS];
  int min_threads; /* of one core */
  int max_threads;
  int max_shmem_mbps;      /* MB/s */
  int system_memory_bytes; /* MB, in spite of the name: as upstream fills it */
  int numa_memory_bytes;   /* MB */
  dart_locality_scope_pos_t scopes[DART_LOCALITY_MAX_DOMAIN_SCOPES]; /* ancestors, nearest first */
  int num_scopes;
} dart_hwinfo_t;

typedef struct {
  char host[DART_LOCALITY_HOST_MAX_SIZE];
  char module[DART_LOCALITY_HOST_MAX_SIZE];
  dart_locality_scope_pos_t pos;
} dart_module_location_t;

/* One domain of the locality tree. */
struct dart_domain_locality_s {
  char host[DART_LOCALITY_HOST_MAX_SIZE];
  char domain_tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE]; /* ".0.1": child 1 of child 0 of the root */
  struct dart_domain_locality_s **aliases;
  int num_aliases;
  dart_locality_scope_t scope;
  int level;
  int global_index;   /* in its scope */
  int relative_index; /* in its parent */
  struct dart_domain_locality_s *parent;
  int num_domains;
  struct dart_domain_locality_s **children;
  int is_symmetric;
  dart_team_t team;
  int num_units;
  dart_global_unit_t *unit_ids;
  int num_nodes;
  int node_id; /* -1: several nodes */
  int num_cores;
  int shared_mem_bytes;
};
typedef struct dart_domain_locality_s dart_domain_locality_t;

/* The location of one unit. The size is constant, because programs send it as bytes. */
typedef struct {
  dart_team_unit_t unit;
  dart_team_t team;
  dart_hwinfo_t hwinfo;
  char domain_tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
} dart_unit_locality_t;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Derived types ---------------------------------------------------------------------------------------------
 *
 * A derived type describes where elements lie. A transfer always counts *elements of the base type* (nelem), and
 * takes them in the order of the type. The two sides of a transfer may have different types with the same base. Puts
 * and gets accept any type on either side. Messages and all collectives, including reductions, do so, too (see their
 * comments). Allocations accept basic and custom types, atomics basic types. Derived types do not nest: only a custom
 * type may be a base.
 *
 * For all of them: Who: any unit, any time; a type is valid in this process only, and outlives dart_exit. Owner: the
 * caller owns *newtype, until dart_type_destroy. Return: complete; lists were copied. Threads: any. Cost: inline,
 * with private memory for a list of blocks.
 * Errors: DART_ERR_INVAL: newtype is NULL, or the base is neither basic nor a live custom type. DART_ERR_NOMEM: no
 * private memory. Blocks must not overlap where data is written; they may where data is read. */

/* A strided type: blocks of `blocklen` elements whose starts are `stride` elements apart. The number of blocks
 * follows from nelem where the type is used; nelem is a multiple of blocklen.
 * Sizes: elements of `basetype`. Errors: DART_ERR_INVAL: also a stride or blocklen of 0, or larger than any memory. */
TESSERA_DART_API dart_ret_t dart_type_create_strided(dart_datatype_t basetype, size_t stride, size_t blocklen,
                                                     dart_datatype_t *newtype) DART_NOTHROW;

/* An indexed type: `count` blocks, in any order. Block i has blocklen[i] elements; its first element is offset[i]
 * elements after the pointer. Empty blocks are allowed and have no effect. The type has as many elements as all its
 * blocks together; where it is used, nelem is k times that number. The k instances follow each other at distances of
 * the type's *extent*, which reaches from its lowest offset to the highest end of a block, as in MPI's indexed types
 * (the space below the lowest offset is not repeated).
 * Sizes: elements of `basetype`. Errors: DART_ERR_INVAL: also a list that is NULL although count is not 0, or that
 * describes more than any memory. */
TESSERA_DART_API dart_ret_t dart_type_create_indexed(dart_datatype_t basetype, size_t count, const size_t blocklen[],
                                                     const size_t offset[], dart_datatype_t *newtype) DART_NOTHROW;

/* A custom type: one element of `num_bytes` bytes, which the library does not interpret. Its elements are contiguous.
 * Sizes: bytes. Errors: DART_ERR_INVAL: also num_bytes of 0, or larger than any memory. */
TESSERA_DART_API dart_ret_t dart_type_create_custom(size_t num_bytes, dart_datatype_t *newtype) DART_NOTHROW;

/* Destroys a derived type and stores DART_TYPE_UNDEFINED. Operations that use the type may still be under way, and
 * types and operations made from it stay valid.
 * Who: any unit, any time. Owner: none afterwards; later use of the type is detected. Return: complete. Threads: any.
 * Cost: inline. Errors: DART_ERR_INVAL: NULL, a basic type, or a type that does not exist. */
TESSERA_DART_API dart_ret_t dart_type_destroy(dart_datatype_t *type) DART_NOTHROW;

/* ---- Operations of the program ---------------------------------------------------------------------------------- */

/* A user's operation: inout[i] = in[i] op inout[i] for `len` contiguous elements. `in` comes from the unit with the
 * lower number. Every unit that computes a part of a result calls it, any number of times, during the reduction. */
typedef void (*dart_operator_t)(const void *in, void *inout, size_t len, void *user_data);

/* Makes an operation for all reductions: dart_reduce and dart_allreduce, and in dart_ext_collective.h the scans,
 * dart_reduce_scatter and the calls with a handle. Its elements are of `dtype`, which is basic or custom, or of types
 * made from it. The operation must be associative. If `commute` is false, elements are combined in the order of
 * units, otherwise in any order.
 * Who: any unit, any time; every unit of a reduction makes its own. Owner: the caller owns *new_op, until
 * dart_op_destroy. `user_data` is only passed on; it must live until the last handle of a reduction with this
 * operation is complete. `dtype` stays the caller's, and may be destroyed before or after the operation. Return:
 * complete. Threads: any; the thread that reduces calls `op`. Cost: inline.
 * Errors: DART_ERR_INVAL: op or new_op is NULL, or dtype is neither basic nor a live custom type. DART_ERR_NOMEM.
 * Contract: with dtype_is_tmp upstream need not copy the type. It has no effect here, and in neither library does it
 * pass on the ownership of the type. */
TESSERA_DART_API dart_ret_t dart_op_create(dart_operator_t op, void *user_data, bool commute, dart_datatype_t dtype,
                                           bool dtype_is_tmp, dart_operation_t *new_op) DART_NOTHROW;

/* Destroys such an operation and stores DART_OP_UNDEFINED. Calls that have returned no longer need the operation,
 * even if their handles are not complete; they use `op` and `user_data` until the handles are.
 * Who: any unit, any time. Owner: none afterwards; later use of the operation is detected. Return: complete. Threads:
 * any. Cost: inline. Errors: DART_ERR_INVAL: NULL, a predefined operation, or an operation that does not exist. */
TESSERA_DART_API dart_ret_t dart_op_destroy(dart_operation_t *op) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
