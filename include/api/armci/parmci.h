/* ARMCI: the names for profiling. PARMCI_X is the function, and ARMCI_X is a weak alias of it: a tool may define
 * ARMCI_X and call PARMCI_X. armci.h documents each function under ARMCI_X. */
#ifndef TESSERA_PARMCI_H
#define TESSERA_PARMCI_H

#include <armci_types.h>

#ifdef __cplusplus
extern "C" {
#endif

TESSERA_ARMCI_API int PARMCI_Init(void);
TESSERA_ARMCI_API int PARMCI_Init_args(int *argc, char ***argv);
TESSERA_ARMCI_API int PARMCI_Init_thread(int level);
TESSERA_ARMCI_API int PARMCI_Init_thread_comm(int level, MPI_Comm comm);
TESSERA_ARMCI_API int PARMCI_Init_mpi_comm(MPI_Comm comm);
TESSERA_ARMCI_API int PARMCI_Initialized(void);
TESSERA_ARMCI_API int PARMCI_Finalize(void);
TESSERA_ARMCI_API void PARMCI_Cleanup(void);
TESSERA_ARMCI_API void PARMCI_Error(const char *msg, int code);
TESSERA_ARMCI_API int PARMCI_Malloc(void **ptrs, armci_size_t bytes);
TESSERA_ARMCI_API int PARMCI_Free(void *ptr);
TESSERA_ARMCI_API void *PARMCI_Malloc_local(armci_size_t bytes);
TESSERA_ARMCI_API int PARMCI_Free_local(void *ptr);
TESSERA_ARMCI_API int PARMCI_Malloc_group(void **ptrs, armci_size_t bytes, ARMCI_Group *group);
TESSERA_ARMCI_API int PARMCI_Free_group(void *ptr, ARMCI_Group *group);
TESSERA_ARMCI_API int PARMCI_Malloc_memdev(void **ptrs, armci_size_t bytes, const char *device);
TESSERA_ARMCI_API int PARMCI_Malloc_group_memdev(void **ptrs, armci_size_t bytes, ARMCI_Group *group, const char *device);
TESSERA_ARMCI_API int PARMCI_Free_memdev(void *ptr);
TESSERA_ARMCI_API void PARMCI_Memget(size_t bytes, armci_meminfo_t *meminfo, int memflg);
TESSERA_ARMCI_API void *PARMCI_Memat(armci_meminfo_t *meminfo, long offset);
TESSERA_ARMCI_API void PARMCI_Memdt(armci_meminfo_t *meminfo, long offset);
TESSERA_ARMCI_API void PARMCI_Memctl(armci_meminfo_t *meminfo);
TESSERA_ARMCI_API void PARMCI_Access_begin(void *ptr);
TESSERA_ARMCI_API void PARMCI_Access_end(void *ptr);
TESSERA_ARMCI_API void PARMCI_Copy(void *src, void *dst, int bytes);
TESSERA_ARMCI_API int PARMCI_Put(void *src, void *dst, int bytes, int proc);
TESSERA_ARMCI_API int PARMCI_Get(void *src, void *dst, int bytes, int proc);
TESSERA_ARMCI_API int PARMCI_Acc(int type, void *scale, void *src, void *dst, int bytes, int proc);
TESSERA_ARMCI_API int PARMCI_PutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                  int proc);
TESSERA_ARMCI_API int PARMCI_GetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                  int proc);
TESSERA_ARMCI_API int PARMCI_AccS(int type, void *scale, void *src, int src_stride[], void *dst, int dst_stride[],
                                  int count[], int levels, int proc);
TESSERA_ARMCI_API int PARMCI_PutV(armci_giov_t giov[], int n, int proc);
TESSERA_ARMCI_API int PARMCI_GetV(armci_giov_t giov[], int n, int proc);
TESSERA_ARMCI_API int PARMCI_AccV(int type, void *scale, armci_giov_t giov[], int n, int proc);
TESSERA_ARMCI_API int PARMCI_PutValueInt(int src, void *dst, int proc);
TESSERA_ARMCI_API int PARMCI_PutValueLong(long src, void *dst, int proc);
TESSERA_ARMCI_API int PARMCI_PutValueFloat(float src, void *dst, int proc);
TESSERA_ARMCI_API int PARMCI_PutValueDouble(double src, void *dst, int proc);
TESSERA_ARMCI_API int PARMCI_GetValueInt(void *src, int proc);
TESSERA_ARMCI_API long PARMCI_GetValueLong(void *src, int proc);
TESSERA_ARMCI_API float PARMCI_GetValueFloat(void *src, int proc);
TESSERA_ARMCI_API double PARMCI_GetValueDouble(void *src, int proc);
TESSERA_ARMCI_API int PARMCI_Put_flag(void *src, void *dst, int bytes, int *flag, int value, int proc);
TESSERA_ARMCI_API int PARMCI_PutS_flag(void *src, int src_stride[], void *dst, int dst_stride[], int count[],
                                       int levels, int *flag, int value, int proc);
TESSERA_ARMCI_API int PARMCI_PutS_flag_dir(void *src, int src_stride[], void *dst, int dst_stride[], int count[],
                                           int levels, int *flag, int value, int proc);
TESSERA_ARMCI_API void PARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *handle);
TESSERA_ARMCI_API void PARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_Wait(armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_Test(armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_WaitProc(int proc);
TESSERA_ARMCI_API int PARMCI_WaitAll(void);
TESSERA_ARMCI_API int PARMCI_NbPut(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbGet(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbAcc(int type, void *scale, void *src, void *dst, int bytes, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbPutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                    int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbGetS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels,
                                    int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbAccS(int type, void *scale, void *src, int src_stride[], void *dst, int dst_stride[],
                                    int count[], int levels, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbPutV(armci_giov_t giov[], int n, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbGetV(armci_giov_t giov[], int n, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbAccV(int type, void *scale, armci_giov_t giov[], int n, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbPutValueInt(int src, void *dst, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbPutValueLong(long src, void *dst, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbPutValueFloat(float src, void *dst, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API int PARMCI_NbPutValueDouble(double src, void *dst, int proc, armci_hdl_t *handle);
TESSERA_ARMCI_API void PARMCI_Fence(int proc);
TESSERA_ARMCI_API void PARMCI_AllFence(void);
TESSERA_ARMCI_API void PARMCI_GroupFence(ARMCI_Group *group);
TESSERA_ARMCI_API void PARMCI_Barrier(void);
TESSERA_ARMCI_API int PARMCI_Rmw(int op, void *local, void *remote, int extra, int proc);
TESSERA_ARMCI_API int PARMCI_Create_mutexes(int n);
TESSERA_ARMCI_API int PARMCI_Destroy_mutexes(void);
TESSERA_ARMCI_API void PARMCI_Lock(int mutex, int proc);
TESSERA_ARMCI_API void PARMCI_Unlock(int mutex, int proc);
TESSERA_ARMCI_API int parmci_notify(int proc);
TESSERA_ARMCI_API int parmci_notify_wait(int proc, int *number);
TESSERA_ARMCI_API void PARMCI_Group_create(int n, int *procs, ARMCI_Group *group);
TESSERA_ARMCI_API void PARMCI_Group_create_child(int n, int *procs, ARMCI_Group *group, ARMCI_Group *parent);
TESSERA_ARMCI_API void PARMCI_Group_free(ARMCI_Group *group);
TESSERA_ARMCI_API int PARMCI_Group_rank(ARMCI_Group *group, int *rank);
TESSERA_ARMCI_API void PARMCI_Group_size(ARMCI_Group *group, int *size);
TESSERA_ARMCI_API void PARMCI_Group_set_default(ARMCI_Group *group);
TESSERA_ARMCI_API void PARMCI_Group_get_default(ARMCI_Group *group);
TESSERA_ARMCI_API void PARMCI_Group_get_world(ARMCI_Group *group);
TESSERA_ARMCI_API int PARMCI_Absolute_id(ARMCI_Group *group, int rank);
TESSERA_ARMCI_API int PARMCI_Same_node(int proc);
TESSERA_ARMCI_API int PARMCI_Uses_shm(void);
TESSERA_ARMCI_API int PARMCI_Uses_shm_grp(ARMCI_Group *group);
TESSERA_ARMCI_API void PARMCI_Set_shm_limit(unsigned long bytes);

#ifdef __cplusplus
}
#endif
#endif
