/* The end of a job whose program leaves it to us: units that return from main, call exit(0) or MPI_Finalize without the exit
 * functions of the interfaces that they have started.
 *
 * When all units come to that point and nothing that they have started is incomplete, the library ends the interfaces in their
 * place and unit 0 says so. A unit that comes alone ends the job when another one of its node is in a collective call that it has
 * not made, or after TESSERA_EXIT_TIMEOUT. */
#ifndef TSR_CORE_FINISH_H
#define TSR_CORE_FINISH_H

/* Ends all interfaces that are up, and the runtime, or the job with a message. Collective over the job. `what`: what the program did
 * ("the program ended"), for the messages. The calling thread may call MPI. */
void tsr_finish(const char *what);

/* The job ends with a message, since the program ended with this exit code. */
_Noreturn void tsr_finish_failed(int status);

#endif
