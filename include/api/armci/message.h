/* ARMCI: messages between processes, and collectives on the default group or on a group argument.
 *
 * Common to all: these functions do not complete one-sided operations; a barrier of this header is no fence. Wrong
 * arguments end the job after one line in the log. Lengths are in bytes, and n counts elements. Collective means all
 * processes of the default group, or of the group that is an argument; with a scope, only those in the scope.
 * Contract: the published interface. */
#ifndef TESSERA_ARMCI_MESSAGE_H
#define TESSERA_ARMCI_MESSAGE_H

#include <armci.h> /* old programs include this header only */

#ifdef __cplusplus
extern "C" {
#endif

/* Return the caller's rank in the default group, and the number of its processes. Any time after ARMCI_Init. */
TESSERA_ARMCI_API int armci_msg_me(void);
TESSERA_ARMCI_API int armci_msg_nproc(void);

/* Ends the whole job with `code` (1 if it is 0). */
TESSERA_ARMCI_API void armci_msg_abort(int code);

/* Start and end MPI, unless the program does so. armci_msg_finalize is collective over the job; it first ends ARMCI
 * if that is still up. No function of this header can be used afterwards. */
TESSERA_ARMCI_API void armci_msg_init(int *argc, char ***argv);
TESSERA_ARMCI_API void armci_msg_finalize(void);

/* Returns the time in seconds since some time in the past. */
TESSERA_ARMCI_API double armci_timer(void);

/* ---- Messages -------------------------------------------------------------------------------------------------------
 *
 * Messages between two processes, which are named by their numbers in the world. Messages from one process to another
 * with the same tag arrive in order. A message that is longer than the buffer ends the job. */

/* Sends a message. Return: the buffer may be reused. May wait for the receiver. */
TESSERA_ARMCI_API void armci_msg_snd(int tag, void *buffer, int bytes, int to);
/* Receives a message. Return: the message is in the buffer, and its length in *got_bytes, which may be NULL. */
TESSERA_ARMCI_API void armci_msg_rcv(int tag, void *buffer, int buffer_bytes, int *got_bytes, int from);
/* Receives a message from any process. Return: the sender. */
TESSERA_ARMCI_API int armci_msg_rcvany(int tag, void *buffer, int buffer_bytes, int *got_bytes);

/* ---- Collectives ----------------------------------------------------------------------------------------------------
 *
 * Reductions combine element by element. The operation is the one whose name the string begins with: "+", "*", "min",
 * "max", "absmin", "absmax", and for integers "or", "and", "xor"; "||" and "&&" are the logical operations. All
 * processes get the same result. */

/* Return when all processes have called. */
TESSERA_ARMCI_API void armci_msg_barrier(void);
TESSERA_ARMCI_API void armci_msg_group_barrier(ARMCI_Group *group);

/* Copy the root's data to all. `root` is a rank of the default group; in functions with a group it is a number in the
 * world. The same holds in the narrower scopes. */
TESSERA_ARMCI_API void armci_msg_bcast(void *buffer, int bytes, int root);
TESSERA_ARMCI_API void armci_msg_brdcst(void *buffer, int bytes, int root);
TESSERA_ARMCI_API void armci_msg_bcast_scope(int scope, void *buffer, int bytes, int root);
TESSERA_ARMCI_API void armci_msg_group_bcast_scope(int scope, void *buffer, int bytes, int root, ARMCI_Group *group);

/* Stores a binary tree over the scope: the numbers in the world of its root, and of the caller's parent and children;
 * -1: none. No communication. */
TESSERA_ARMCI_API void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right);

/* Select, among the processes that contribute (not 0), the one with the largest ("max") or smallest ("min") first
 * element, which is of `type`, and copy its n bytes to all. Ties go to the lowest rank. It is an error if no process
 * contributes. */
TESSERA_ARMCI_API void armci_msg_sel(void *x, int n, const char *op, int type, int contribute);
TESSERA_ARMCI_API void armci_msg_sel_scope(int scope, void *x, int n, const char *op, int type, int contribute);

/* Reduce x to the first process of the scope; x on other processes is undefined afterwards. */
TESSERA_ARMCI_API void armci_msg_reduce(void *x, int n, const char *op, int type);
TESSERA_ARMCI_API void armci_msg_reduce_scope(int scope, void *x, int n, const char *op, int type);

/* Reduce x to all processes. `type` is one of ARMCI_INT .. ARMCI_DOUBLE. */
TESSERA_ARMCI_API void armci_msg_gop_scope(int scope, void *x, int n, const char *op, int type);
TESSERA_ARMCI_API void armci_msg_igop(int *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_lgop(long *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_llgop(long long *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_fgop(float *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_dgop(double *x, int n, const char *op);

/* As above, over a group. */
TESSERA_ARMCI_API void armci_msg_group_gop_scope(int scope, void *x, int n, const char *op, int type, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_igop(int *x, int n, const char *op, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_lgop(long *x, int n, const char *op, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_llgop(long long *x, int n, const char *op, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_fgop(float *x, int n, const char *op, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_dgop(double *x, int n, const char *op, ARMCI_Group *group);

/* Broadcast from the first process of the caller's domain to all processes of that domain; reductions over that
 * domain. */
TESSERA_ARMCI_API void armci_msg_clus_brdcst(void *buffer, int bytes);
TESSERA_ARMCI_API void armci_msg_clus_igop(int *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_clus_lgop(long *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_clus_llgop(long long *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_clus_fgop(float *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_clus_dgop(double *x, int n, const char *op);

/* Each process passes its own pointer at its position in `pointers`, which has n entries, one per process; afterwards
 * all processes have all pointers. */
TESSERA_ARMCI_API void armci_exchange_address(void *pointers[], int n);
TESSERA_ARMCI_API void armci_exchange_address_grp(void *pointers[], int n, ARMCI_Group *group);

/* The names for profiling. */
TESSERA_ARMCI_API void parmci_msg_barrier(void);
TESSERA_ARMCI_API void parmci_msg_group_barrier(ARMCI_Group *group);

#ifdef __cplusplus
}
#endif
#endif
