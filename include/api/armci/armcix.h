/* ARMCI: extensions that come from ARMCI-MPI. Errors and the rest as in armci.h. */
#ifndef TESSERA_ARMCIX_H
#define TESSERA_ARMCIX_H

#include <armci.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Divides a group: who passes the same colour >= 0 is in one new group, ranked by key and then by rank in the parent; a
 * negative colour gives none. Collective over the parent. */
TESSERA_ARMCI_API int ARMCIX_Group_split(ARMCI_Group *parent, int color, int key, ARMCI_Group *group);
/* A group of the same processes. Collective over the parent. */
TESSERA_ARMCI_API int ARMCIX_Group_dup(ARMCI_Group *parent, ARMCI_Group *group);

/* Sets of mutexes, as many as a program wants. `proc` is a rank of the set's group. */
typedef struct armcix_mutex_hdl_s *armcix_mutex_hdl_t;

/* Makes a set with n >= 0 of them here. Collective over the group. NULL: an error, as logged. */
TESSERA_ARMCI_API armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int n, ARMCI_Group *group);
/* Collective over its group; nobody holds one. */
TESSERA_ARMCI_API int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t mutexes);
/* As ARMCI_Lock and ARMCI_Unlock. */
TESSERA_ARMCI_API void ARMCIX_Lock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc);
TESSERA_ARMCI_API void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc);
/* 0: the caller holds it now. Not 0: another one does. */
TESSERA_ARMCI_API int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc);

/* Lets the library go on with what is under way, and with what others want of this process. */
TESSERA_ARMCI_API void ARMCIX_Progress(void);

#ifdef __cplusplus
}
#endif
#endif
