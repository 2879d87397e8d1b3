/* ARMCI on Tessera: one-sided access to the memory of other processes, addressed by the pointers that these processes
 * themselves use. Messages and reductions are in message.h, which this header includes; the profiling names in parmci.h;
 * extensions of ARMCI-MPI's in armcix.h.
 *
 * How to read the comments.
 *   proc      is always a number in the world, 0 .. armci_msg_nproc()-1 before any group was made the default, never one in
 *             a group.
 *   remote    pointers are those of the owning process, as ARMCI_Malloc stores them. All bytes of one transfer lie in
 *             memory of that function (or of ARMCI_Malloc_local, of the same node or any other).
 *   Sizes     are bytes.
 *   Local completion: the caller's buffers may be reused, and what was fetched is there. Remote completion: the target, and
 *             everybody else, sees it.
 *
 * Common to all functions, and not repeated:
 *   Who       any process, alone, unless it says Collective: then all processes of the default group, or of the group
 *             that is an argument.
 *   Return    0 for success. What a caller can get wrong is answered with one of FAIL .. FAIL8 and one line in the log,
 *             and nothing was done; functions without a result end the job after that line. Dead processes end it too.
 *   Order     blocking calls of one process to one target take effect in the order of the calls: a get sees what the same
 *             process put or accumulated before. Non-blocking ones are ordered by completion alone.
 *   Threads   one at a time, unless the program asked ARMCI_Init_thread for more.
 *   Contract  the published interface of ARMCI, with ARMCI-MPI's binary layout. Where the two differ it says so.
 */
#ifndef TESSERA_ARMCI_H
#define TESSERA_ARMCI_H

#include <armci_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Start and end ------------------------------------------------------------------------------------------------- */

/* Start. Collective over the job. MPI is started unless the program did, and then finalised at the process's end. A second
 * call while the interface is up counts, and needs an ARMCI_Finalize of its own. argc and argv may be NULL. */
TESSERA_ARMCI_API int ARMCI_Init(void);
TESSERA_ARMCI_API int ARMCI_Init_args(int *argc, char ***argv);

/* The same, for a program whose threads call at once: `level` is one of MPI's thread levels. FAIL: it is none, or MPI
 * was started with less than several nodes need; then the interface is not up. */
TESSERA_ARMCI_API int ARMCI_Init_thread(int level);

/* The same, for a program that names the processes: those of `comm`, in the order of their ranks, are the job, and numbers and
 * collective calls mean them. The other processes take no part; they go on with MPI, or start on another communicator. MPI
 * runs. Collective over `comm`, which may be freed afterwards. After ARMCI_Finalize the process may start again, on another
 * communicator or on all processes. The progress processes of TESSERA_PROGRESS=process:N are taken from `comm`, and do not
 * come back from this call. An abort, or a death, ends the job, and the launcher
 * then ends the other processes, too.
 * FAIL: comm is MPI_COMM_NULL, invalid, or an inter-communicator, or the library runs already on other processes. */
TESSERA_ARMCI_API int ARMCI_Init_thread_comm(int level, MPI_Comm comm);

/* As ARMCI_Init_thread_comm with what MPI allows. Return: 1 for success, 0 for failure; Global Arrays tests it so. */
TESSERA_ARMCI_API int ARMCI_Init_mpi_comm(MPI_Comm comm);

/* Whether it is up: 1 or 0. Any time. */
TESSERA_ARMCI_API int ARMCI_Initialized(void);

/* End. Collective over the job. All operations are complete, and all memory of this interface is gone; what a program
 * made by other interfaces stays. It may be started again. */
TESSERA_ARMCI_API int ARMCI_Finalize(void);

/* For a program that ends early, from any state: releases what outlives the process, which is nothing. */
TESSERA_ARMCI_API void ARMCI_Cleanup(void);

/* Logs `msg` and `code` and ends the whole job with this code (1 if it is 0). Any time. Does not return. */
TESSERA_ARMCI_API void ARMCI_Error(const char *msg, int code);

/* ---- Memory -------------------------------------------------------------------------------------------------------- */

/* Allocates `bytes` here, and stores in ptrs[i] the pointer of the default group's process i: as that process itself
 * knows its memory, which is what calls take. Collective. Processes may pass different sizes, also 0: their entry is NULL
 * then. Memory is not zeroed, and aligned to 64 bytes at least. Who is on the same
 * node may also load and store by another's pointer, as long as all processes found one common range of addresses for
 * their memory; only a limit on address space (ulimit -v) keeps them from that. FAIL8, everywhere: one ran out of memory. */
TESSERA_ARMCI_API int ARMCI_Malloc(void **ptrs, armci_size_t bytes);

/* Frees an allocation of ARMCI_Malloc everywhere. Collective over the group that made it. `ptr` is the caller's own
 * pointer; a process with no memory in it passes NULL. Fences nothing: operations on it have completed. TESSERA_CHECK=1 keeps the
 * memory for a while and refuses what still uses it (FAIL6). */
TESSERA_ARMCI_API int ARMCI_Free(void *ptr);

/* Local memory that is fast as source and destination, and that others may address too. NULL: none left, or bytes is
 * negative. Freed by ARMCI_Free_local. */
TESSERA_ARMCI_API void *ARMCI_Malloc_local(armci_size_t bytes);
TESSERA_ARMCI_API int ARMCI_Free_local(void *ptr);

/* The same over a group: ptrs[i] is that of the group's rank i. Collective over the group. */
TESSERA_ARMCI_API int ARMCI_Malloc_group(void **ptrs, armci_size_t bytes, ARMCI_Group *group);
TESSERA_ARMCI_API int ARMCI_Free_group(void *ptr, ARMCI_Group *group);

/* The same with the name of a kind of memory, which is not regarded. */
TESSERA_ARMCI_API int ARMCI_Malloc_memdev(void **ptrs, armci_size_t bytes, const char *device);
TESSERA_ARMCI_API int ARMCI_Malloc_group_memdev(void **ptrs, armci_size_t bytes, ARMCI_Group *group, const char *device);
TESSERA_ARMCI_API int ARMCI_Free_memdev(void *ptr);

/* Memory that one process makes alone and describes to others, who get the description as the program likes, and then
 * transfer to and from armci_addr of process cpid. What is wrong ends the job, also that there is no memory left.
 *
 * Memget makes `bytes` > 0 of it and fills in *meminfo; memflg is 0. Memat gives the address of its byte `offset`: on the node of
 * its maker one for loads and stores, elsewhere one for transfers. Memdt says that the caller does without from now on;
 * it does nothing. Memctl frees it when the caller is its maker; whoever else calls only clears its own description. */
TESSERA_ARMCI_API void ARMCI_Memget(size_t bytes, armci_meminfo_t *meminfo, int memflg);
TESSERA_ARMCI_API void *ARMCI_Memat(armci_meminfo_t *meminfo, long offset);
TESSERA_ARMCI_API void ARMCI_Memdt(armci_meminfo_t *meminfo, long offset);
TESSERA_ARMCI_API void ARMCI_Memctl(armci_meminfo_t *meminfo);

/* Brackets for direct loads and stores of one's own memory. Between nodes and on one node, all transfers are coherent with
 * loads and stores; the brackets order them against those of other processes. Programs may repeat them until another process
 * has changed something: they let the library go on. From ARMCI-MPI. */
TESSERA_ARMCI_API void ARMCI_Access_begin(void *ptr);
TESSERA_ARMCI_API void ARMCI_Access_end(void *ptr);

/* Copies local memory. The pieces do not overlap. */
TESSERA_ARMCI_API void ARMCI_Copy(void *src, void *dst, int bytes);

/* ---- Contiguous transfers ------------------------------------------------------------------------------------------
 *
 * Source first, destination second, also for get. 0 bytes: nothing is done. */

/* Writes to `proc`. Return: locally complete. */
TESSERA_ARMCI_API int ARMCI_Put(void *src, void *dst, int bytes, int proc);

/* Elsewhere only for a process of the own node. */
#define ARMCI_Put1(src, dst, bytes, proc) ARMCI_Put(src, dst, bytes, proc)

/* Reads from `proc`. Return: complete. */
TESSERA_ARMCI_API int ARMCI_Get(void *src, void *dst, int bytes, int proc);

/* dst += *scale * src, element by element, each atomically as regards other accumulates. `type` is one of ARMCI_ACC_*,
 * `scale` points to one element of it, `bytes` is a multiple of its size. src and dst may lie at
 * any address, aligned or not; one that is not costs more. Elements that overlap in part are not atomic as regards each
 * other. Return: locally complete. */
TESSERA_ARMCI_API int ARMCI_Acc(int type, void *scale, void *src, void *dst, int bytes, int proc);

/* ---- Strided transfers ----------------------------------------------------------------------------------------------
 *
 * count[0] bytes lie end to end; that is repeated count[1] times at a distance of stride[0] bytes, all of which
 * count[2] times at stride[1] bytes, and so on up to count[levels]. levels = 0: contiguous, the strides are not read, and may be NULL.
 * The two sides have the same counts and strides of their own, which may be negative. A count of 0 makes it
 * nothing. At most ARMCI_MAX_STRIDE_LEVEL levels. Places of the destination that coincide hold one of their sources after a
 * put or get, which TESSERA_CHECK=1 refuses (FAIL), and the sum of all after an accumulate. Completion and the rest as for contiguous transfers. */

TESSERA_ARMCI_API int ARMCI_PutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                 int proc);
TESSERA_ARMCI_API int ARMCI_GetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                 int proc);
/* count[0] is a multiple of the type's size; strides and addresses need not be. */
TESSERA_ARMCI_API int ARMCI_AccS(int type, void *scale, void *src, int src_stride[], void *dst, int dst_stride[],
                                 int count[], int levels, int proc);

/* ---- Transfers of many pieces ---------------------------------------------------------------------------------------
 *
 * `n` descriptors of pieces, all on `proc`. Descriptors without pieces, and pieces of 0 bytes, are allowed. Pieces of a
 * destination that overlap hold one of their sources after a put or get, which TESSERA_CHECK=1 refuses (FAIL), and all of them
 * added after an accumulate. */

TESSERA_ARMCI_API int ARMCI_PutV(armci_giov_t giov[], int n, int proc);
TESSERA_ARMCI_API int ARMCI_GetV(armci_giov_t giov[], int n, int proc);
TESSERA_ARMCI_API int ARMCI_AccV(int type, void *scale, armci_giov_t giov[], int n, int proc);

/* ---- Values ---------------------------------------------------------------------------------------------------------
 *
 * One int, long, float or double, at an address that need not be aligned. The gets have no error: what is wrong ends the
 * job. */

TESSERA_ARMCI_API int ARMCI_PutValueInt(int src, void *dst, int proc);
TESSERA_ARMCI_API int ARMCI_PutValueLong(long src, void *dst, int proc);
TESSERA_ARMCI_API int ARMCI_PutValueFloat(float src, void *dst, int proc);
TESSERA_ARMCI_API int ARMCI_PutValueDouble(double src, void *dst, int proc);
TESSERA_ARMCI_API int ARMCI_GetValueInt(void *src, int proc);
TESSERA_ARMCI_API long ARMCI_GetValueLong(void *src, int proc);
TESSERA_ARMCI_API float ARMCI_GetValueFloat(void *src, int proc);
TESSERA_ARMCI_API double ARMCI_GetValueDouble(void *src, int proc);

/* ---- Put with a flag -------------------------------------------------------------------------------------------------
 *
 * Puts, and then writes `value` to the int `flag`, also of `proc`: who sees the flag sees the data. A flag that is not aligned
 * may be seen half written. Return: locally complete. */

TESSERA_ARMCI_API int ARMCI_Put_flag(void *src, void *dst, int bytes, int *flag, int value, int proc);
TESSERA_ARMCI_API int ARMCI_PutS_flag(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                      int *flag, int value, int proc);
/* The same; elsewhere it demands that data and flag go the same way. */
TESSERA_ARMCI_API int ARMCI_PutS_flag_dir(void *src, int src_stride[], void *dst, int dst_stride[], int count[],
                                          int levels, int *flag, int value, int proc);

/* ---- Handles ---------------------------------------------------------------------------------------------------------
 *
 * A handle stands for any number of operations that have not been waited for, to any processes and of any kinds. */

/* Makes a handle inactive: before its first use, and not while it is in use. */
TESSERA_ARMCI_API void ARMCI_INIT_HANDLE(armci_hdl_t *handle);
#define ARMCI_INIT_HANDLE ARMCI_INIT_HANDLE /* a macro elsewhere; programs may ask for it */

/* Makes an inactive handle aggregate: many small puts, or gets, or accumulates, to one process travel together. They are sent
 * when enough has come together, at a wait for the handle, and at a fence or barrier. Sources of puts and all destinations stay
 * as they are until the wait. FAIL7, for a put or get: the handle is in use for another process; an
 * accumulate then goes by itself. */
TESSERA_ARMCI_API void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *handle);
/* Makes it a plain one; what it stands for, it stands for still. */
TESSERA_ARMCI_API void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *handle);

/* Waits until all operations of the handle are locally complete; it is inactive then, and stays aggregate if it was.
 * NULL, or an inactive handle: returns at once. FAIL7: no handle. */
TESSERA_ARMCI_API int ARMCI_Wait(armci_hdl_t *handle);
/* 0: they are, as after a wait. Not 0: not yet. */
TESSERA_ARMCI_API int ARMCI_Test(armci_hdl_t *handle);
/* The same for all operations to `proc`, with handles or without; and for all. Handles become inactive at their next use. */
TESSERA_ARMCI_API int ARMCI_WaitProc(int proc);
TESSERA_ARMCI_API int ARMCI_WaitAll(void);

/* ---- Non-blocking transfers -----------------------------------------------------------------------------------------
 *
 * As their blocking twins, but they return when the operation is started. Buffers, not arrays of counts, strides and
 * pointers, stay as they are until local completion. handle = NULL: waited for by ARMCI_WaitProc and ARMCI_WaitAll. Values
 * and scales may be reused at once. Cost: on the own node they are complete at return, unless an progress process copies. */

TESSERA_ARMCI_API int ARMCI_NbPut(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbGet(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbAcc(int type, void *scale, void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbPutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                   int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbGetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                   int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbAccS(int type, void *scale, void *src, int src_stride[], void *dst, int dst_stride[],
                                   int count[], int levels, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbPutV(armci_giov_t giov[], int n, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbGetV(armci_giov_t giov[], int n, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbAccV(int type, void *scale, armci_giov_t giov[], int n, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbPutValueInt(int src, void *dst, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbPutValueLong(long src, void *dst, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbPutValueFloat(float src, void *dst, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int ARMCI_NbPutValueDouble(double src, void *dst, int proc, armci_hdl_t *handle);

/* ---- Fences ---------------------------------------------------------------------------------------------------------- */

/* Waits until all operations of the caller on `proc` are remotely complete. */
TESSERA_ARMCI_API void ARMCI_Fence(int proc);
/* The same for all processes. Not collective: says nothing of what others have started. */
TESSERA_ARMCI_API void ARMCI_AllFence(void);
/* The same for the members of a group. */
TESSERA_ARMCI_API void ARMCI_GroupFence(ARMCI_Group *group);
/* ARMCI_AllFence, and returns when all have called. Collective: after it, everything started before it is visible. */
TESSERA_ARMCI_API void ARMCI_Barrier(void);

/* ---- Atomic operations, mutexes, notifications --------------------------------------------------------------------- */

/* ARMCI_FETCH_AND_ADD: stores the int at `remote` of `proc` in *local and adds `extra` to it. ARMCI_SWAP: exchanges it
 * with *local. With _LONG the same for longs. Atomic as regards all of Tessera's atomics on this address, which need not be
 * aligned; one that is not costs more. Return: complete. FAIL: an unknown operation. */
TESSERA_ARMCI_API int ARMCI_Rmw(int op, void *local, void *remote, int extra, int proc);

/* Creates n >= 0 mutexes here, numbered from 0; processes may have different numbers of them. Collective over the job,
 * whichever group is the default. One set at a time: FAIL while there is one. */
TESSERA_ARMCI_API int ARMCI_Create_mutexes(int n);
/* Collective over the job; nobody holds one. */
TESSERA_ARMCI_API int ARMCI_Destroy_mutexes(void);
/* Waits until the caller holds the mutex of `proc`, in the order of asking; releases it, after a fence to `proc`. */
TESSERA_ARMCI_API void ARMCI_Lock(int mutex, int proc);
TESSERA_ARMCI_API void ARMCI_Unlock(int mutex, int proc);

/* Tells `proc` that all earlier operations of the caller on it are there. Return: how many times it has been told. */
TESSERA_ARMCI_API int armci_notify(int proc);
/* Waits for the next notification of `proc` that has not been waited for; stores its number in *number. NULL: not
 * wanted. Return: how many have come so far, at least that number. */
TESSERA_ARMCI_API int armci_notify_wait(int proc, int *number);

/* ---- Groups ---------------------------------------------------------------------------------------------------------- */

/* Makes a group of n processes, listed by their ranks in the default group, in the order of their new ranks. Collective over
 * the listed processes; others may call, and get a group with rank -1. Wrong lists end the job. */
TESSERA_ARMCI_API void ARMCI_Group_create(int n, int *procs, ARMCI_Group *group);
/* The same, listed by their ranks in `parent`. */
TESSERA_ARMCI_API void ARMCI_Group_create_child(int n, int *procs, ARMCI_Group *group, ARMCI_Group *parent);
/* Collective over the group. What is allocated over it goes, mutexes of it must have gone; if it was the default, the
 * world is again. Of who is no member: nothing is done. */
TESSERA_ARMCI_API void ARMCI_Group_free(ARMCI_Group *group);
/* Stores the caller's rank: -1, and the result is not 0, when it is no member. */
TESSERA_ARMCI_API int ARMCI_Group_rank(ARMCI_Group *group, int *rank);
TESSERA_ARMCI_API void ARMCI_Group_size(ARMCI_Group *group, int *size);
/* The default group is whom ARMCI_Malloc, ARMCI_Barrier, and the calls of message.h are about. At first the world. */
TESSERA_ARMCI_API void ARMCI_Group_set_default(ARMCI_Group *group);
TESSERA_ARMCI_API void ARMCI_Group_get_default(ARMCI_Group *group);
TESSERA_ARMCI_API void ARMCI_Group_get_world(ARMCI_Group *group);
/* The number in the world of a rank. Negative: no such rank. */
TESSERA_ARMCI_API int ARMCI_Absolute_id(ARMCI_Group *group, int rank);

/* ---- Nodes -----------------------------------------------------------------------------------------------------------
 *
 * A domain is a node: processes that share memory, as long as all nodes hold equally many, numbered one after the other. Where
 * they do not, each process is a domain of its own: Global Arrays computes with equal blocks. */

/* Processes of a domain; of the caller's with a negative id. */
TESSERA_ARMCI_API int armci_domain_nprocs(armci_domain_t domain, int id);
/* The domain of a process; the world's number of process `local` in a domain; the caller's domain; how many; whether the
 * process is in the caller's. Wrong numbers: negative. */
TESSERA_ARMCI_API int armci_domain_id(armci_domain_t domain, int proc);
TESSERA_ARMCI_API int armci_domain_glob_proc_id(armci_domain_t domain, int id, int local);
TESSERA_ARMCI_API int armci_domain_my_id(armci_domain_t domain);
TESSERA_ARMCI_API int armci_domain_count(armci_domain_t domain);
TESSERA_ARMCI_API int armci_domain_same_id(armci_domain_t domain, int proc);

/* Whether the process is on the caller's node: 1 or 0. */
TESSERA_ARMCI_API int ARMCI_Same_node(int proc);
TESSERA_ARMCI_API int armci_sameclusnode(int proc);
/* Whether processes of one node, or of a group on it, share memory: 1 when there are several, else 0. */
TESSERA_ARMCI_API int ARMCI_Uses_shm(void);
TESSERA_ARMCI_API int ARMCI_Uses_shm_grp(ARMCI_Group *group);
/* Limits shared memory elsewhere; not regarded: see TESSERA_HEAP_SIZE. */
TESSERA_ARMCI_API void ARMCI_Set_shm_limit(unsigned long bytes);

/* ---- Packing ----------------------------------------------------------------------------------------------------------
 *
 * Copy a strided piece of local memory to `buffer`, end to end, and back. Counts and strides as above. */

TESSERA_ARMCI_API void armci_write_strided(void *ptr, int levels, int stride[], int count[], char *buffer);
TESSERA_ARMCI_API void armci_read_strided(void *ptr, int levels, int stride[], int count[], char *buffer);

/* ---- Assertions --------------------------------------------------------------------------------------------------------
 *
 * Of the classic header. What does not hold ends the job with a line that names it. `arguments` are those of printf, in
 * parentheses; an assertion that is not `enabled` looks at nothing. Programs that have such macros of their own keep
 * them. */

#ifndef dassertc
#define dassertc(enabled, condition, arguments, code)                     \
  do {                                                                    \
    if ((enabled) && !(condition)) {                                      \
      derr_printf arguments;                                              \
      dassertp_fail(#condition, __FILE__, __func__, __LINE__, (code));    \
    }                                                                     \
  } while (0)
#endif
#ifndef dassertp
#define dassertp(enabled, condition, arguments) dassertc(enabled, condition, arguments, 1)
#endif
#ifndef dassert
#define dassert(enabled, condition) dassertc(enabled, condition, ("%s", ""), 1)
#endif
#ifndef dassert1
#define dassert1(enabled, condition, value) dassertc(enabled, condition, ("%d", (int)(value)), 1)
#endif
#ifndef armci_die
#define armci_die(message, code) dassertc(1, 0, ("%s: %d", (message), (code)), (code))
#endif
#ifndef armci_die2
#define armci_die2(message, code, value) dassertc(1, 0, ("%s: (%d,%d)", (message), (code), (value)), (code))
#endif

/* What they call: keeps a line for the next failure of the calling thread; ends the job with `code` (1 if it is 0). */
TESSERA_ARMCI_API void derr_printf(const char *format, ...) TESSERA_ARMCI_PRINTS;
TESSERA_ARMCI_API int dassertp_fail(const char *condition, const char *file, const char *function, unsigned int line,
                                    int code);

#ifdef __cplusplus
}
#endif

#include <message.h>
#include <parmci.h>

#endif
