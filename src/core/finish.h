/* The end of a job whose program does not end the interfaces: units that return from main, call exit(0) or MPI_Finalize
 * without the exit functions of the interfaces that they have started.
 *
 * When all units have reached that point and nothing that they have started is incomplete, the library ends the
 * interfaces, and unit 0 warns about it unless programs may end that way. The job ends with a message if a unit of the same
 * node is in a collective call that the ending unit has not made, or after TESSERA_EXIT_TIMEOUT. */
#ifndef TSR_CORE_FINISH_H
#define TSR_CORE_FINISH_H

#include <stdbool.h>

#include "core/api.h"

/* Ends all interfaces that are up, and the runtime, or ends the job with a message. Collective over the job. `what`:
 * what the program did ("the program ended"), for the messages. The calling thread may call MPI. */
void tsr_finish(const char *what);

/* For an exit function that programs may leave out (shmem_finalize). Returns when each unit is in this function or in tsr_finish,
 * which then calls that exit function first. Collective over the job. `what`: "shmem_finalize was called". Unless several threads
 * may call the library, ends the job with a message if a unit of this node is in another collective call. */
void tsr_finish_await_all(const char *what);

/* Whether programs may leave out the exit function of this interface: the end then warns of nothing. */
void tsr_finish_set_optional(enum tsr_api api, bool is_optional);

/* Ends the job with a message and this exit code, because the program ended with it. */
_Noreturn void tsr_finish_failed(int status);

#endif
