/* ARMCI: extensions of ARMCI-MPI. Errors and all other rules as in armci.h. */
#ifndef TESSERA_ARMCIX_H
#define TESSERA_ARMCIX_H

#include <armci.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Splits a group: the processes that pass the same colour >= 0 form a new group, ranked by key and then by rank in
 * the parent. A process with a negative colour gets none. Collective over the parent. */
TESSERA_ARMCI_API int ARMCIX_Group_split(ARMCI_Group *parent, int color, int key, ARMCI_Group *group);
/* Makes a second group of the same processes. Collective over the parent. */
TESSERA_ARMCI_API int ARMCIX_Group_dup(ARMCI_Group *parent, ARMCI_Group *group);

/* Sets of mutexes; a program may have any number of sets. `proc` is a rank of the set's group. */
typedef struct armcix_mutex_hdl_s *armcix_mutex_hdl_t;

/* Makes a set with n >= 0 mutexes on this process. Collective over the group. NULL: an error, which was logged. */
TESSERA_ARMCI_API armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int n, ARMCI_Group *group);
/* Destroys a set. Collective over its group; no process may hold a mutex of it. */
TESSERA_ARMCI_API int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t mutexes);
/* As ARMCI_Lock and ARMCI_Unlock. */
TESSERA_ARMCI_API void ARMCIX_Lock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc);
TESSERA_ARMCI_API void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc);
/* Returns 0 if the caller has acquired the mutex, another value if a process already holds it. */
TESSERA_ARMCI_API int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc);

/* Makes progress on operations under way, and serves requests of other processes. */
TESSERA_ARMCI_API void ARMCIX_Progress(void);

#ifdef __cplusplus
}
#endif
#endif
