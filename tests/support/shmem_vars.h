/* Variables of a shared library, for tests of OpenSHMEM. VARS, a word, gives each library made of shmem_vars.c names of its own;
 * VARS_VERSION makes different versions of one. */
#ifndef SHMEM_VARS_H
#define SHMEM_VARS_H

#define VARS_NAME_OF(vars, name) vars##_##name
#define VARS_NAME(vars, name) VARS_NAME_OF(vars, name)

enum { VARS_LARGE_BYTES = 32 << 20 };
struct vars {
  long *word, *lock;
  int *list; /* {1, 2, 3, 4} at first */
  char *large; /* VARS_LARGE_BYTES, never touched at first */
  long *thread_local_;
};

struct vars first_vars(void);  /* of a library that is linked, */
struct vars second_vars(void); /* of another one, */
struct vars later_vars(void);  /* of one that is opened later */
extern long first_exported;

#endif
