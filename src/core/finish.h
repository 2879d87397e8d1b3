/* The end of a job whose program leaves it to us: units that return from main, call exit(0) or MPI_Finalize without the exit
 * functions of the interfaces that they have started.
 *
 * When all units come to that point and nothing that they have started is incomplete, the library ends the interfaces in their
 * place and unit 0 says so. A unit that comes alone does not keep the others waiting for ever: its own node shows when one of
 * them is in a collective call that it has not made, and otherwise TESSERA_EXIT_TIMEOUT bounds how long it waits. */
#ifndef TSR_CORE_FINISH_H
#define TSR_CORE_FINISH_H

/* Ends all interfaces that are up; the runtime is down then. Collective over the job, units come when they do. `what` is what
 * the program did ("the program ended"), for the messages. When that cannot be, the job ends with a message. The calling
 * thread may call MPI. */
void tsr_finish(const char *what);

/* The job ends with a message, since the program ended with this exit code. */
_Noreturn void tsr_finish_failed(int status);

#endif
