/* ARMCI: messages between processes, and collectives on the default group or a named one.
 *
 * Common to all: they tell nothing of one-sided operations, and complete none: a barrier of this header is no fence. Wrong
 * arguments end the job after one line in the log. Lengths are bytes, n counts elements. Collective means all processes of
 * the default group, or of the group that is an argument, narrowed to those in the scope. Contract: the published one. */
#ifndef TESSERA_ARMCI_MESSAGE_H
#define TESSERA_ARMCI_MESSAGE_H

#include <armci.h> /* old programs include this header only */

#ifdef __cplusplus
extern "C" {
#endif

/* The caller's number in the default group, and how many processes are in it. At any time after ARMCI_Init. */
TESSERA_ARMCI_API int armci_msg_me(void);
TESSERA_ARMCI_API int armci_msg_nproc(void);

/* Ends the whole job with `code` (1 if it is 0). */
TESSERA_ARMCI_API void armci_msg_abort(int code);

/* Start and end MPI, if the program has not. After armci_msg_finalize nothing of it can be used; it ends ARMCI first where that
 * is still up, and is collective over the job. */
TESSERA_ARMCI_API void armci_msg_init(int *argc, char ***argv);
TESSERA_ARMCI_API void armci_msg_finalize(void);

/* Seconds since some time in the past. */
TESSERA_ARMCI_API double armci_timer(void);

/* ---- Messages ----------------------------------------------------------------------------------------------------------
 *
 * Between two processes, named by their numbers in the world. Messages from one to another with one tag arrive in order.
 * A message longer than the buffer ends the job. */

/* Return: the buffer may be reused. May wait for the receiver. */
TESSERA_ARMCI_API void armci_msg_snd(int tag, void *buffer, int bytes, int to);
/* Return: it is here, and its length in *got_bytes, which may be NULL. */
TESSERA_ARMCI_API void armci_msg_rcv(int tag, void *buffer, int buffer_bytes, int *got_bytes, int from);
/* From anybody. Return: from whom. */
TESSERA_ARMCI_API int armci_msg_rcvany(int tag, void *buffer, int buffer_bytes, int *got_bytes);

/* ---- Collectives --------------------------------------------------------------------------------------------------------
 *
 * Reductions combine element by element, by the operation whose name the string begins with: "+", "*", "min", "max", "absmin",
 * "absmax", and for integers "or", "and", "xor"; with "||" and "&&" the logical ones. Everybody gets the same result. */

/* Returns when all have called. */
TESSERA_ARMCI_API void armci_msg_barrier(void);
TESSERA_ARMCI_API void armci_msg_group_barrier(ARMCI_Group *group);

/* The root's data goes to all. `root` is a rank of the default group; where a group is named, a number in the world. In the
 * narrower scopes too. */
TESSERA_ARMCI_API void armci_msg_bcast(void *buffer, int bytes, int root);
TESSERA_ARMCI_API void armci_msg_brdcst(void *buffer, int bytes, int root);
TESSERA_ARMCI_API void armci_msg_bcast_scope(int scope, void *buffer, int bytes, int root);
TESSERA_ARMCI_API void armci_msg_group_bcast_scope(int scope, void *buffer, int bytes, int root, ARMCI_Group *group);

/* A binary tree over the scope: the numbers in the world of its root and of the caller's parent and children; -1: there is
 * none. No communication. */
TESSERA_ARMCI_API void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right);

/* Of those who contribute (not 0), the one with the largest ("max") or smallest ("min") first element, which is of `type`:
 * all its n bytes go to all. Ties go to the lowest rank. Nobody contributes: an error. */
TESSERA_ARMCI_API void armci_msg_sel(void *x, int n, const char *op, int type, int contribute);
TESSERA_ARMCI_API void armci_msg_sel_scope(int scope, void *x, int n, const char *op, int type, int contribute);

/* The result goes to the first process of the scope; what the others have in x afterwards is undefined. */
TESSERA_ARMCI_API void armci_msg_reduce(void *x, int n, const char *op, int type);
TESSERA_ARMCI_API void armci_msg_reduce_scope(int scope, void *x, int n, const char *op, int type);

/* The result goes to all. `type` is one of ARMCI_INT .. ARMCI_DOUBLE. */
TESSERA_ARMCI_API void armci_msg_gop_scope(int scope, void *x, int n, const char *op, int type);
TESSERA_ARMCI_API void armci_msg_igop(int *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_lgop(long *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_llgop(long long *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_fgop(float *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_dgop(double *x, int n, const char *op);

/* The same over a group. */
TESSERA_ARMCI_API void armci_msg_group_gop_scope(int scope, void *x, int n, const char *op, int type, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_igop(int *x, int n, const char *op, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_lgop(long *x, int n, const char *op, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_llgop(long long *x, int n, const char *op, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_fgop(float *x, int n, const char *op, ARMCI_Group *group);
TESSERA_ARMCI_API void armci_msg_group_dgop(double *x, int n, const char *op, ARMCI_Group *group);

/* Over the caller's domain: what its first process has goes to all of it; reductions. */
TESSERA_ARMCI_API void armci_msg_clus_brdcst(void *buffer, int bytes);
TESSERA_ARMCI_API void armci_msg_clus_igop(int *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_clus_lgop(long *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_clus_llgop(long long *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_clus_fgop(float *x, int n, const char *op);
TESSERA_ARMCI_API void armci_msg_clus_dgop(double *x, int n, const char *op);

/* Each process has its own pointer at its place in `pointers`, of n = all; afterwards everybody has all of them. */
TESSERA_ARMCI_API void armci_exchange_address(void *pointers[], int n);
TESSERA_ARMCI_API void armci_exchange_address_grp(void *pointers[], int n, ARMCI_Group *group);

/* The profiling names. */
TESSERA_ARMCI_API void parmci_msg_barrier(void);
TESSERA_ARMCI_API void parmci_msg_group_barrier(ARMCI_Group *group);

#ifdef __cplusplus
}
#endif
#endif
