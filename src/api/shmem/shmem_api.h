/* Common parts of the OpenSHMEM interface: its state, contexts and teams, and the way from a symmetric address to global memory. */
#ifndef TSR_API_SHMEM_SHMEM_API_H
#define TSR_API_SHMEM_SHMEM_API_H

#define SHMEMI_IN_LIBRARY
#include <shmem.h>

#include <stdbool.h>
#include <stdlib.h>

#include "base/arith.h"
#include "base/status.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/segment.h"
#include "core/team.h"
#include "node/images.h"

#define tsr_shmem_die(...) tsr_abort(EXIT_FAILURE, __VA_ARGS__)
/* For functions without a result: a failed transfer, which was logged, ends the job. */
void tsr_shmem_require(tessera_status_t status, const char *call);

/* TSR_SHMEM_DEFINE(RESULT, NAME, (PARAMETERS), (ARGUMENTS), BODY): pshmem_ctx_NAME, and pshmem_NAME for the default context. The
 * body can use `ctx` and `call`. */
#define TSR_SHMEM_UNPACK(...) __VA_ARGS__
#define TSR_SHMEM_DEFINE(result, name, parameters, arguments, ...)                  \
  result pshmem_ctx_##name(shmem_ctx_t ctx, TSR_SHMEM_UNPACK parameters) {          \
    const char *call = "shmem_" #name;                                              \
    __VA_ARGS__                                                                     \
  }                                                                                 \
  result pshmem_##name(TSR_SHMEM_UNPACK parameters) {                               \
    return pshmem_ctx_##name(SHMEM_CTX_DEFAULT, TSR_SHMEM_UNPACK arguments);        \
  }

/* ---- checks of the caller ---- */

extern bool tsr_shmem_up;
extern bool tsr_shmem_unchecked; /* it is up, and calls are not checked: any thread may call, or TESSERA_CHECK is off */
extern int tsr_shmem_level;      /* of threads */
void tsr_shmem_set_level(int level);
void tsr_shmem_calls_start(void); /* by the thread that calls shmem_init */
void tsr_shmem_calls_stop(void);

/* Ends the job if the library is not up, or, with TESSERA_CHECK=1, the level of threads forbids the call. */
void tsr_shmem_check_call(const char *call) __attribute__((cold));
static inline void tsr_shmem_must_be_up(const char *call) {
  if (__builtin_expect(!tsr_shmem_unchecked, 0)) tsr_shmem_check_call(call);
}

/* The same for calls that take time: until the end of the block, no other thread may call. */
#define TSR_SHMEM_ENTER(call) \
  const bool entered __attribute__((cleanup(tsr_shmem_leave), unused)) = !tsr_shmem_unchecked && tsr_shmem_enter_checked(call)
bool tsr_shmem_enter_checked(const char *call) __attribute__((cold));
void tsr_shmem_leave_checked(void) __attribute__((cold));
static inline void tsr_shmem_leave(const bool *entered) {
  if (__builtin_expect(*entered, 0)) tsr_shmem_leave_checked();
}

/* ---- environment ---- */

enum tsr_shmem_variable { TSR_SHMEM_VERSION, TSR_SHMEM_INFO, TSR_SHMEM_SYMMETRIC_SIZE, TSR_SHMEM_DEBUG };
/* The name under which a variable is set, and its value; text NULL: it is not set. */
struct tsr_shmem_setting {
  const char *name, *text;
};
struct tsr_shmem_setting tsr_shmem_setting(enum tsr_shmem_variable which);
/* Does what SHMEM_VERSION, SHMEM_INFO and SHMEM_DEBUG ask for. */
void tsr_shmem_environment_start(void);

/* ---- teams and contexts ---- */

struct shmemi_team {
  tsr_team *core;
  int num_contexts; /* as its configuration says */
  struct shmemi_team *previous, *next;
};
/* The team of a handle; ends the job if it is invalid. */
struct shmemi_team *tsr_shmem_team(shmem_team_t handle, const char *call);
/* The same, but NULL for SHMEM_TEAM_INVALID. */
struct shmemi_team *tsr_shmem_team_if(shmem_team_t handle, const char *call);
tessera_status_t tsr_shmem_teams_start(void); /* collective */
void tsr_shmem_teams_stop(void);

struct tsr_shmem_ctx {
  struct shmemi_ctx seen; /* first; what inline functions see */
  struct shmemi_team *team;
  shmem_team_t team_handle;
  tsr_op op;              /* counts what is under way */
  _Atomic bool overtakes; /* some of these operations may be delivered after requests that are started later */
  uint32_t mark;
  struct tsr_shmem_ctx *previous, *next;
};
extern struct tsr_shmem_ctx tsr_shmem_ctx_default;
/* The context of a handle; ends the job if it is invalid. */
struct tsr_shmem_ctx *tsr_shmem_ctx(shmem_ctx_t handle, const char *call);
void tsr_shmem_contexts_start(void);
void tsr_shmem_contexts_stop(void);
/* Destroys the contexts that a team still has; NULL: those of all teams. */
void tsr_shmem_contexts_drop(const struct shmemi_team *team);
void tsr_shmem_quiet(struct tsr_shmem_ctx *ctx);

/* ---- addresses ---- */

/* The bytes of that PE. Ends the job if one of them is not symmetric, or the PE or the context do not exist. */
tsr_addr tsr_shmem_address(struct tsr_shmem_ctx *ctx, const void *address, size_t bytes, int pe, const char *call);
tsr_unit tsr_shmem_unit(const struct tsr_shmem_ctx *ctx, int pe, const char *call);
/* Whether the bytes are symmetric. Then stores their offset in the caller's heap; outside the heap TSR_ADDR_OUTSIDE and their
 * address. */
bool tsr_shmem_is_symmetric(const void *address, size_t bytes, uint64_t *off);
/* Returns that offset. Ends the job if the bytes are not symmetric; with TESSERA_CHECK=1 also if they are in no live block. */
uint64_t tsr_shmem_require_symmetric(const void *address, size_t bytes, const char *call);
/* A number of a symmetric byte that is the same on all PEs. */
uint64_t tsr_shmem_name(const void *address);
_Noreturn void tsr_shmem_die_address(const void *address, size_t bytes, const char *call);
/* Ends the job if the bytes of the own heap begin in no live block, or go beyond the one that shmem_malloc has returned. */
void tsr_shmem_require_live(const void *address, uint64_t off, size_t bytes, const char *call);
/* Reads SHMEM_SYMMETRIC_SIZE, and ends the job if it is not a size. */
void tsr_shmem_memory_start(const char *call);
void tsr_shmem_memory_stop(void); /* frees all blocks, after all PEs have stopped using them */
tessera_status_t tsr_shmem_addresses_start(void); /* collective */
void tsr_shmem_addresses_stop(void);              /* after all PEs have ended their transfers */

/* Blocks whose alignment is larger than that of heaps (aligned.c). _map_ maps `bytes` at `off` of the own heap, both multiples of a
 * page, a second time; NULL: no address range or no memory. _find_ stores the heap offset of such an address. Any thread. */
void *tsr_shmem_map_aligned(uint64_t off, size_t bytes, size_t alignment);
bool tsr_shmem_find_aligned(const void *address, size_t bytes, uint64_t *off);
void tsr_shmem_unmap_aligned(uint64_t off); /* if it has such a mapping */
void tsr_shmem_aligned_stop(void);

/* Static variables of the program and its libraries. tsr_shmem_program() is the image that all PEs run; NULL: they run different
 * programs. */
tessera_status_t tsr_shmem_statics_start(void); /* collective */
void tsr_shmem_statics_stop(void);              /* after all PEs have ended their transfers */
void tsr_shmem_statics_log(void);
const struct tsr_image *tsr_shmem_program(void);
extern bool tsr_shmem_statics_apart; /* static variables are registered memory outside the heap */
struct tsr_shmem_static {
  tsr_segment *segment; /* NULL: the bytes are in the heap */
  uint64_t off;         /* in the segment, or the heap */
  uint64_t name;        /* the same on all PEs, and different for all static bytes */
};
bool tsr_shmem_find_static(const void *address, size_t bytes, struct tsr_shmem_static *found);
/* The pages of image i; false: there are not so many. */
bool tsr_shmem_static_range(size_t i, const char **begin, uint64_t *bytes);
void tsr_shmem_die_if_variable(const void *address, const char *call);

/* Called after each operation that is not complete on return. Notes whether a fence has to wait for the operation: it is not
 * ordered with requests that are started later if its data is sent separately, if the hardware or an agent executes it, or if it is
 * sent to the owner instead of the endpoint of the owner's node. */
void tsr_shmem_note_order(struct tsr_shmem_ctx *ctx, tsr_addr address, size_t bytes);

/* Called after a change of a PE's memory. Wakes the PE if it is on this node and waits for a change. A PE of another node is woken
 * there. */
void tsr_shmem_ring(tsr_unit unit);

/* ---- functions that the families of calls use ---- */

void tsr_shmem_put(struct tsr_shmem_ctx *ctx, void *dest, const void *source, size_t bytes, int pe, bool waits, const char *call);
void tsr_shmem_get(struct tsr_shmem_ctx *ctx, void *dest, const void *source, size_t bytes, int pe, bool waits, const char *call);

/* Interprets `value` as a value of this size and sign. */
struct tsr_shmem_value {
  uint64_t bits;
  uint8_t bytes;
  bool is_signed;
};
/* Returns the bits that ended the wait. */
uint64_t tsr_shmem_wait_until(const void *ivar, int cmp, struct tsr_shmem_value value, const char *call);
int tsr_shmem_test(const void *ivar, int cmp, struct tsr_shmem_value value, const char *call);

/* The core's type of a C type. */
#define TSR_SHMEM_TYPE(T)                                                                                    \
  _Generic((T *)0, float *: TSR_F32, double *: TSR_F64, long double *: TSR_F80, shmemi_complexf *: TSR_C64, \
           shmemi_complexd *: TSR_C128,                                                                      \
           default: sizeof(T) == 1   ? TSR_SHMEM_SIGNED(T, TSR_I8, TSR_U8)                                   \
                    : sizeof(T) == 2 ? TSR_SHMEM_SIGNED(T, TSR_I16, TSR_U16)                                 \
                    : sizeof(T) == 4 ? TSR_SHMEM_SIGNED(T, TSR_I32, TSR_U32)                                 \
                                     : TSR_SHMEM_SIGNED(T, TSR_I64, TSR_U64))
#define TSR_SHMEM_SIGNED(T, if_signed, if_unsigned) (_Generic((T *)0, unsigned char *: 0, unsigned short *: 0, unsigned int *: 0, \
  unsigned long *: 0, unsigned long long *: 0, char *: (char)-1 < 0, default: 1) ? (if_signed) : (if_unsigned))

/* Collectives; `root_too`: the root's dest is written. */
int tsr_shmem_broadcast(tsr_team *team, void *dest, const void *source, size_t bytes, int root, bool root_too, const char *call);
int tsr_shmem_collect(tsr_team *team, void *dest, const void *source, size_t bytes, const char *call);
int tsr_shmem_fcollect(tsr_team *team, void *dest, const void *source, size_t bytes, const char *call);
int tsr_shmem_alltoall(tsr_team *team, void *dest, const void *source, size_t bytes, const char *call);
int tsr_shmem_alltoalls(tsr_team *team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t elem_bytes,
                        size_t nelems, const char *call);

int tsr_shmem_reduce(tsr_team *team, void *dest, const void *source, size_t n, tsr_type type, tsr_arith op, const char *call);

void tsr_shmem_locks_stop(void);
void tsr_shmem_sets_stop(void);

/* n * unit; ends the job if that overflows. */
size_t tsr_shmem_bytes(size_t n, size_t unit, const char *call);

/* Bytes from the first to the last of blocks_n > 0 blocks of `block` elements, which begin `stride` > 0 elements apart. */
size_t tsr_shmem_extent(size_t blocks_n, ptrdiff_t stride, size_t block, size_t elem_bytes, const char *call);

#endif
