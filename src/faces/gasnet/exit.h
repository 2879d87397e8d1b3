/* The end of a job of GASNet's: any process may end it, at any time. */
#ifndef TSR_FACES_GASNET_EXIT_H
#define TSR_FACES_GASNET_EXIT_H

/* Collective over the job. From here on a process may end as programs in GASNet do: by gasnet_exit, by exit, by returning
 * from main. */
void tsr_gex_exit_start(void);

#endif
