/* ARMCI on Tessera: one-sided access to the memory of other processes, addressed by the pointers of these processes.
 * This header includes message.h (messages and reductions) and parmci.h (profiling names). armcix.h has the
 * extensions of ARMCI-MPI.
 *
 * Conventions:
 *  proc      a number in the world, 0 .. armci_msg_nproc()-1 before any other group became the default; never a rank in
 *            a group.
 *  remote    pointers are those of the owning process, as ARMCI_Malloc stores them. All bytes of one transfer lie in
 *            memory of ARMCI_Malloc, or of ARMCI_Malloc_local of any process.
 *  Sizes     are in bytes.
 *  Local completion: the caller may reuse its buffers, and fetched data has arrived. Remote completion: the data
 *            is in the target's memory; a process that learns of it, by a message or a barrier, sees the data. A fence does
 *            not order the caller's own later gets: they may read values that another process has already overwritten.
 *
 * Common to all functions, and not repeated:
 *  Who       any process, alone, unless the comment says Collective: then all processes of the default group, or of the
 *            group that is an argument.
 *  Return    0 for success. On a wrong argument a function returns one of FAIL .. FAIL8, logs one line, and has no
 *            effect; functions without a result end the job after that line. So does the death of a process.
 *  Order     blocking calls of one process to one target take effect in the order of the calls: a get sees earlier puts
 *            and accumulates of the same process. A non-blocking operation comes before the calls of its process on
 *            that target that follow its ARMCI_Wait, ARMCI_WaitProc or ARMCI_WaitAll, though those complete it locally.
 *  Threads   one at a time, unless the program requested more with ARMCI_Init_thread, or started MPI with
 *            MPI_THREAD_MULTIPLE before.
 *  Contract  the published interface of ARMCI, with the binary layout of ARMCI-MPI. Where the two differ, the comment
 *            says so. */
#ifndef TESSERA_ARMCI_H
#define TESSERA_ARMCI_H

#include <armci_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Start and end ----------------------------------------------------------------------------------------------- */

/* Start ARMCI. Collective over the job. They start MPI unless the program has started it, and MPI then ends with the
 * process. Starts are counted: each needs its own ARMCI_Finalize. argc and argv may be NULL. */
TESSERA_ARMCI_API int ARMCI_Init(void);
TESSERA_ARMCI_API int ARMCI_Init_args(int *argc, char ***argv);

/* As ARMCI_Init, for programs whose threads call at the same time. `level` is one of MPI's thread levels. FAIL:
 * `level` is none of them, or MPI was started with a lower level than several nodes need; ARMCI is then not up. */
TESSERA_ARMCI_API int ARMCI_Init_thread(int level);

/* As ARMCI_Init_thread, but the job consists of the processes of `comm`, in the order of their ranks; process numbers
 * and collective calls refer to these processes. Other processes are not part of the job: they continue with MPI, or
 * start on another communicator. MPI must be running. Collective over `comm`, which may be freed afterwards. After
 * ARMCI_Finalize the process may start again, on another communicator or on all processes. The progress processes of
 * TESSERA_PROGRESS=process:N are taken from `comm`; they do not return from this call. If a process aborts or dies,
 * the job ends, and the launcher then ends the other processes, too.
 * FAIL: comm is MPI_COMM_NULL, invalid, or an inter-communicator, or the library is already running on other
 * processes. */
TESSERA_ARMCI_API int ARMCI_Init_thread_comm(int level, MPI_Comm comm);

/* As ARMCI_Init, but the job consists of the processes of `comm`, as ARMCI_Init_thread_comm describes. Return: 1 for
 * success, 0 for failure; Global Arrays tests for these values. */
TESSERA_ARMCI_API int ARMCI_Init_mpi_comm(MPI_Comm comm);

/* Returns whether ARMCI is up: 1 or 0. Any time. */
TESSERA_ARMCI_API int ARMCI_Initialized(void);

/* Ends ARMCI. Collective over the job. It completes all operations and releases all memory of ARMCI; memory of other
 * interfaces stays. ARMCI may be started again. */
TESSERA_ARMCI_API int ARMCI_Finalize(void);

/* Does nothing: nothing outlives the process. For programs that end early, in any state. */
TESSERA_ARMCI_API void ARMCI_Cleanup(void);

/* Logs `msg` and `code` and ends the whole job with this code (1 if it is 0). Any time. Does not return. */
TESSERA_ARMCI_API void ARMCI_Error(const char *msg, int code);

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Allocates `bytes` on the caller, and stores in ptrs[i] the address of the memory of rank i of the default group.
 * This is the address in that process, which the calls of this header expect. Collective. Processes may pass
 * different sizes, also 0: their entry is then NULL. The memory is not zeroed, and is aligned to at least 64 bytes.
 * Processes of one node may also load and store through each other's pointers, if all processes found a common range
 * of addresses for their memory; only a limit on the address space (ulimit -v) prevents that. FAIL8, on all
 * processes: one of them ran out of memory. */
TESSERA_ARMCI_API int ARMCI_Malloc(void **ptrs, armci_size_t bytes);

/* Frees an allocation of ARMCI_Malloc on all processes. Collective over the group that made it. `ptr` is the caller's
 * own pointer, NULL if its part is empty. It is no fence: operations on the memory must be complete. With
 * TESSERA_CHECK=1 the memory is kept for a while, and calls that still use it fail (FAIL6). */
TESSERA_ARMCI_API int ARMCI_Free(void *ptr);

/* Allocate and free local memory that is fast as source and destination, and that other processes may address, too.
 * NULL: no memory left, or bytes is negative. */
TESSERA_ARMCI_API void *ARMCI_Malloc_local(armci_size_t bytes);
TESSERA_ARMCI_API int ARMCI_Free_local(void *ptr);

/* As ARMCI_Malloc and ARMCI_Free, over a group: ptrs[i] is that of the group's rank i. Collective over the group. */
TESSERA_ARMCI_API int ARMCI_Malloc_group(void **ptrs, armci_size_t bytes, ARMCI_Group *group);
TESSERA_ARMCI_API int ARMCI_Free_group(void *ptr, ARMCI_Group *group);

/* As the functions above, with the name of a kind of memory, which is ignored. */
TESSERA_ARMCI_API int ARMCI_Malloc_memdev(void **ptrs, armci_size_t bytes, const char *device);
TESSERA_ARMCI_API int ARMCI_Malloc_group_memdev(void **ptrs, armci_size_t bytes, ARMCI_Group *group, const char *device);
TESSERA_ARMCI_API int ARMCI_Free_memdev(void *ptr);

/* Memory that one process allocates alone and describes to others. The program sends the description to other
 * processes in any way; they then transfer to and from armci_addr of process cpid. Any error ends the job, including
 * lack of memory.
 *
 * ARMCI_Memget allocates `bytes` > 0 and fills in *meminfo; memflg is 0. ARMCI_Memat returns the address of byte
 * `offset`: an address for loads and stores on the node of the allocating process, an address for transfers on other
 * nodes. ARMCI_Memdt ends the caller's use of the memory, and has no effect here. ARMCI_Memctl frees the memory
 * if the caller allocated it; on any other process it only clears the caller's description. */
TESSERA_ARMCI_API void ARMCI_Memget(size_t bytes, armci_meminfo_t *meminfo, int memflg);
TESSERA_ARMCI_API void *ARMCI_Memat(armci_meminfo_t *meminfo, long offset);
TESSERA_ARMCI_API void ARMCI_Memdt(armci_meminfo_t *meminfo, long offset);
TESSERA_ARMCI_API void ARMCI_Memctl(armci_meminfo_t *meminfo);

/* Enclose direct loads and stores of the caller's own memory. Transfers are coherent with loads and stores, within
 * and between nodes; the two calls order the caller's loads and stores with respect to accesses of other processes.
 * They also make progress, so a program may repeat them until another process has changed the memory. From
 * ARMCI-MPI. */
TESSERA_ARMCI_API void ARMCI_Access_begin(void *ptr);
TESSERA_ARMCI_API void ARMCI_Access_end(void *ptr);

/* Copies `bytes` of local memory. Source and destination must not overlap. */
TESSERA_ARMCI_API void ARMCI_Copy(void *src, void *dst, int bytes);

/* ---- Contiguous transfers ------------------------------------------------------------------------------------------
 *
 * The source is the first argument and the destination the second, also for get. 0 bytes: no effect. */

/* Copies `bytes` from the caller's `src` to `dst` of `proc`. Return: locally complete. */
TESSERA_ARMCI_API int ARMCI_Put(void *src, void *dst, int bytes, int proc);

/* In other implementations ARMCI_Put1 is only for processes of the caller's node. */
#define ARMCI_Put1(src, dst, bytes, proc) ARMCI_Put(src, dst, bytes, proc)

/* Copies `bytes` from `src` of `proc` to the caller's `dst`. Return: complete. */
TESSERA_ARMCI_API int ARMCI_Get(void *src, void *dst, int bytes, int proc);

/* Adds dst += *scale * src, element by element; each element is atomic with respect to other accumulates. `type` is
 * one of ARMCI_ACC_*, `scale` points to one element of that type, and `bytes` is a multiple of its size. src and dst
 * may have any address; unaligned ones cost more. Elements that overlap partly are not atomic to each other. Return:
 * locally complete. */
TESSERA_ARMCI_API int ARMCI_Acc(int type, void *scale, void *src, void *dst, int bytes, int proc);

/* ---- Strided transfers ----------------------------------------------------------------------------------------------
 *
 * A strided transfer moves blocks of count[0] contiguous bytes. A block is repeated count[1] times at distances of
 * stride[0] bytes, this pattern count[2] times at distances of stride[1] bytes, and so on up to count[levels]. With
 * levels = 0 the transfer is contiguous, and the strides are not read and may be NULL. Both sides have the same
 * counts, and each has its own strides, which may be negative. If any count is 0, the call has no effect. There are
 * at most ARMCI_MAX_STRIDE_LEVEL levels. If blocks of the destination overlap, they hold one of their sources after a
 * put or get (TESSERA_CHECK=1 rejects this with FAIL), and the sum of all after an accumulate. Completion and all
 * other rules are those of contiguous transfers. */

TESSERA_ARMCI_API int ARMCI_PutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                 int proc);
TESSERA_ARMCI_API int ARMCI_GetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                 int proc);
/* count[0] is a multiple of the type's size; strides and addresses may be unaligned. */
TESSERA_ARMCI_API int ARMCI_AccS(int type, void *scale, void *src, int src_stride[], void *dst, int dst_stride[],
                                 int count[], int levels, int proc);

/* ---- Vector transfers -----------------------------------------------------------------------------------------------
 *
 * Move the pieces of `n` descriptors, all on `proc`. Descriptors without pieces, and pieces of 0 bytes, are
 * allowed. If pieces of the destination overlap, they hold one of their sources after a put or get (TESSERA_CHECK=1
 * rejects this with FAIL), and the sum of all after an accumulate. */

TESSERA_ARMCI_API int ARMCI_PutV(armci_giov_t giov[], int n, int proc);
TESSERA_ARMCI_API int ARMCI_GetV(armci_giov_t giov[], int n, int proc);
TESSERA_ARMCI_API int ARMCI_AccV(int type, void *scale, armci_giov_t giov[], int n, int proc);

/* ---- Values ---------------------------------------------------------------------------------------------------------
 *
 * Transfers of one int, long, float or double, at an address that may be unaligned. The gets cannot return an error:
 * a wrong argument ends the job. */

TESSERA_ARMCI_API int ARMCI_PutValueInt(int src, void *dst, int proc);
TESSERA_ARMCI_API int ARMCI_PutValueLong(long src, void *dst, int proc);
TESSERA_ARMCI_API int ARMCI_PutValueFloat(float src, void *dst, int proc);
TESSERA_ARMCI_API int ARMCI_PutValueDouble(double src, void *dst, int proc);
TESSERA_ARMCI_API int ARMCI_GetValueInt(void *src, int proc);
TESSERA_ARMCI_API long ARMCI_GetValueLong(void *src, int proc);
TESSERA_ARMCI_API float ARMCI_GetValueFloat(void *src, int proc);
TESSERA_ARMCI_API double ARMCI_GetValueDouble(void *src, int proc);

/* ---- Put with a flag ------------------------------------------------------------------------------------------------
 *
 * Put the data, and then write `value` to the int `flag` of the same process: a process that sees the flag sees
 * the data. An unaligned flag may be seen partly written. Return: locally complete. */

TESSERA_ARMCI_API int ARMCI_Put_flag(void *src, void *dst, int bytes, int *flag, int value, int proc);
TESSERA_ARMCI_API int ARMCI_PutS_flag(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                      int *flag, int value, int proc);
/* As ARMCI_PutS_flag. In other implementations data and flag must use the same network path. */
TESSERA_ARMCI_API int ARMCI_PutS_flag_dir(void *src, int src_stride[], void *dst, int dst_stride[], int count[],
                                          int levels, int *flag, int value, int proc);

/* ---- Handles --------------------------------------------------------------------------------------------------------
 *
 * A handle stands for any number of operations that were not yet waited for, to any processes and of any kinds. */

/* Makes a handle inactive. Call it before the first use of the handle, and not while the handle is in use. */
TESSERA_ARMCI_API void ARMCI_INIT_HANDLE(armci_hdl_t *handle);
#define ARMCI_INIT_HANDLE ARMCI_INIT_HANDLE /* a macro in other implementations; programs may test for it */

/* Makes an inactive handle aggregate: it collects small puts, or gets, or accumulates, to one process and sends them
 * together. They are sent when enough were collected, at a wait for the handle, and at a fence or barrier. Sources of
 * puts and all destinations must not change until the wait. FAIL7, for a put or get: the handle is in use for another
 * process. An accumulate for another process is sent alone. */
TESSERA_ARMCI_API void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *handle);
/* Makes the handle a plain one; it still stands for the same operations. */
TESSERA_ARMCI_API void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *handle);

/* Waits until all operations of the handle are locally complete. The handle is then inactive, and stays aggregate if
 * it was. NULL, or an inactive handle: returns at once. */
TESSERA_ARMCI_API int ARMCI_Wait(armci_hdl_t *handle);
/* Returns 0 if all operations of the handle are locally complete (the handle is then as after a wait), another value
 * if not. */
TESSERA_ARMCI_API int ARMCI_Test(armci_hdl_t *handle);
/* As ARMCI_Wait, for all operations to `proc`, with or without handles, and for all operations to all processes.
 * Their handles become inactive at the next use. */
TESSERA_ARMCI_API int ARMCI_WaitProc(int proc);
TESSERA_ARMCI_API int ARMCI_WaitAll(void);

/* ---- Non-blocking transfers -----------------------------------------------------------------------------------------
 *
 * As the blocking functions, but they return when the operation has started. Buffers must not change until local
 * completion; arrays of counts, strides and pointers, values and scales may be reused on return. handle = NULL:
 * ARMCI_WaitProc and ARMCI_WaitAll wait for the operation. Cost: on the caller's node the operation is complete on
 * return, unless a progress process copies the data. */

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

/* ---- Fences ------------------------------------------------------------------------------------------------------ */

/* Waits until all operations of the caller on `proc` are remotely complete. */
TESSERA_ARMCI_API void ARMCI_Fence(int proc);
/* As ARMCI_Fence, for all processes. Not collective: it does not cover operations of other processes. */
TESSERA_ARMCI_API void ARMCI_AllFence(void);
/* As ARMCI_Fence, for the members of a group. */
TESSERA_ARMCI_API void ARMCI_GroupFence(ARMCI_Group *group);
/* ARMCI_AllFence and a barrier. Collective: after it, all operations that any of the processes started before are
 * visible. */
TESSERA_ARMCI_API void ARMCI_Barrier(void);

/* ---- Atomic operations, mutexes, notifications ------------------------------------------------------------------- */

/* ARMCI_FETCH_AND_ADD stores the int at `remote` of `proc` in *local, and adds `extra` to it. ARMCI_SWAP exchanges it
 * with *local. The operations with _LONG do the same for a long. They are atomic with respect to all atomics of
 * Tessera on this address, which may be unaligned; this costs more. Return: complete. FAIL: an unknown operation. */
TESSERA_ARMCI_API int ARMCI_Rmw(int op, void *local, void *remote, int extra, int proc);

/* Creates n >= 0 mutexes on this process, numbered from 0; n may differ between processes. Collective over the job,
 * whichever group is the default. Only one set of mutexes may exist: FAIL while there is one. */
TESSERA_ARMCI_API int ARMCI_Create_mutexes(int n);
/* Destroys the mutexes. Collective over the job; no process may hold one. */
TESSERA_ARMCI_API int ARMCI_Destroy_mutexes(void);
/* ARMCI_Lock waits until the caller holds the mutex of `proc`; requests are served in their order. ARMCI_Unlock
 * releases it, after a fence to `proc`. */
TESSERA_ARMCI_API void ARMCI_Lock(int mutex, int proc);
TESSERA_ARMCI_API void ARMCI_Unlock(int mutex, int proc);

/* Notifies `proc` that all earlier operations of the caller on it are complete. Return: the number of notifications
 * to `proc` so far. */
TESSERA_ARMCI_API int armci_notify(int proc);
/* Waits for the next notification from `proc` that was not yet waited for, and stores its number in *number, unless
 * number is NULL. Return: the number of notifications that have arrived so far, which is at least that number. */
TESSERA_ARMCI_API int armci_notify_wait(int proc, int *number);

/* ---- Groups ------------------------------------------------------------------------------------------------------ */

/* Makes a group of n processes, listed by their ranks in the default group, in the order of their new ranks.
 * Collective over the listed processes; other processes may call it, too, and get a group with rank -1. A wrong list
 * ends the job. */
TESSERA_ARMCI_API void ARMCI_Group_create(int n, int *procs, ARMCI_Group *group);
/* As ARMCI_Group_create, listed by their ranks in `parent`. */
TESSERA_ARMCI_API void ARMCI_Group_create_child(int n, int *procs, ARMCI_Group *group, ARMCI_Group *parent);
/* Frees a group. Collective over the group. Memory allocated over the group is freed; mutexes of the group must have
 * been destroyed before. If it was the default group, the world becomes the default. No effect if the caller is not a
 * member. */
TESSERA_ARMCI_API void ARMCI_Group_free(ARMCI_Group *group);
/* Stores the caller's rank. If the caller is not a member, it stores -1 and returns a value other than 0. */
TESSERA_ARMCI_API int ARMCI_Group_rank(ARMCI_Group *group, int *rank);
TESSERA_ARMCI_API void ARMCI_Group_size(ARMCI_Group *group, int *size);
/* The default group is the set of processes that take part in ARMCI_Malloc, ARMCI_Barrier, and the calls of
 * message.h. At first it is the world. */
TESSERA_ARMCI_API void ARMCI_Group_set_default(ARMCI_Group *group);
TESSERA_ARMCI_API void ARMCI_Group_get_default(ARMCI_Group *group);
TESSERA_ARMCI_API void ARMCI_Group_get_world(ARMCI_Group *group);
/* Returns the number in the world of a rank; negative: no such rank. */
TESSERA_ARMCI_API int ARMCI_Absolute_id(ARMCI_Group *group, int rank);

/* ---- Nodes ----------------------------------------------------------------------------------------------------------
 *
 * A domain is a node, that is, processes that share memory, if all nodes hold equally many processes with consecutive
 * numbers. Otherwise each process is a domain, because Global Arrays relies on equal blocks. */

/* Returns the number of processes in a domain; in the caller's domain if id is negative. */
TESSERA_ARMCI_API int armci_domain_nprocs(armci_domain_t domain, int id);
/* Return the domain of a process; the number in the world of process `local` of a domain; the caller's domain; the
 * number of domains, whatever `domain` is; and whether the process is in the caller's domain. Wrong numbers: negative. */
TESSERA_ARMCI_API int armci_domain_id(armci_domain_t domain, int proc);
TESSERA_ARMCI_API int armci_domain_glob_proc_id(armci_domain_t domain, int id, int local);
TESSERA_ARMCI_API int armci_domain_my_id(armci_domain_t domain);
TESSERA_ARMCI_API int armci_domain_count(armci_domain_t domain);
TESSERA_ARMCI_API int armci_domain_same_id(armci_domain_t domain, int proc);

/* Return whether the process is on the caller's node: 1 or 0. */
TESSERA_ARMCI_API int ARMCI_Same_node(int proc);
TESSERA_ARMCI_API int armci_sameclusnode(int proc);
/* Return whether several processes, or several members of the group, share memory on the caller's node: 1 or 0. */
TESSERA_ARMCI_API int ARMCI_Uses_shm(void);
TESSERA_ARMCI_API int ARMCI_Uses_shm_grp(ARMCI_Group *group);
/* Limits shared memory in other implementations; ignored here: see TESSERA_HEAP_LIMIT. */
TESSERA_ARMCI_API void ARMCI_Set_shm_limit(unsigned long bytes);

/* ---- Packing --------------------------------------------------------------------------------------------------------
 *
 * Copy a strided area of local memory to the contiguous `buffer`, and back. Counts and strides as above. */

TESSERA_ARMCI_API void armci_write_strided(void *ptr, int levels, int stride[], int count[], char *buffer);
TESSERA_ARMCI_API void armci_read_strided(void *ptr, int levels, int stride[], int count[], char *buffer);

/* ---- Assertions -----------------------------------------------------------------------------------------------------
 *
 * Macros of the classic header. A false condition ends the job with a line that names it. `arguments` are those of
 * printf, in parentheses. An assertion that is not `enabled` evaluates nothing. If a program defines macros of these
 * names itself, its definitions are kept. */

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

/* Functions that the assertions call: derr_printf keeps a line for the next failure of the calling thread;
 * dassertp_fail ends the job with `code` (1 if it is 0). */
TESSERA_ARMCI_API void derr_printf(const char *format, ...) TESSERA_ARMCI_PRINTS;
TESSERA_ARMCI_API int dassertp_fail(const char *condition, const char *file, const char *function, unsigned int line,
                                    int code);

#ifdef __cplusplus
}
#endif

#include <message.h>
#include <parmci.h>

#endif
