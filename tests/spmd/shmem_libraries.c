/* OpenSHMEM: static variables of shared libraries that the program is linked with, and of others. */
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shmem_check.h"
#include "support/shmem_vars.h"

static long counter;

static void *find_system_variable(void) {
  void *library = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  return library ? dlsym(library, "obstack_alloc_failed_handler") : NULL;
}

static void questions(struct vars vars) {
  int local;
  CHECK(shmem_addr_accessible(vars.word, next) && shmem_addr_accessible(&first_exported, next));
  CHECK(shmem_ptr(vars.word, me) == vars.word);
  CHECK(!shmem_addr_accessible(vars.thread_local_, next) && !shmem_addr_accessible(&local, next));
  CHECK(!shmem_addr_accessible(find_system_variable(), next));
  CHECK(!shmem_addr_accessible(vars.large + VARS_LARGE_BYTES + (1 << 20), next));
}

static void transfers(struct vars vars) {
  int got[4];
  char twos[5000];
  CHECK(vars.list[0] == 1 && vars.list[3] == 4);
  shmem_barrier_all();
  shmem_int_p(&vars.list[1], me + 10, next);
  shmem_char_p(vars.large, 1, next);
  shmem_putmem(vars.large + VARS_LARGE_BYTES - sizeof twos, memset(twos, 2, sizeof twos), sizeof twos, next);
  for (int pe = 0; pe < pes; pe++) shmem_long_atomic_add(vars.word, me + 1, pe);
  shmem_barrier_all();
  CHECK_EQ(vars.list[1], previous + 10);
  CHECK(vars.large[0] == 1 && vars.large[VARS_LARGE_BYTES - sizeof twos] == 2 && vars.large[VARS_LARGE_BYTES - 1] == 2);
  CHECK_EQ(*vars.word, pes * (pes + 1) / 2);
  shmem_int_get(got, vars.list, 4, next);
  CHECK(got[0] == 1 && got[1] == me + 10 && got[3] == 4);
  shmem_barrier_all();
  *vars.word = 0;
  vars.list[1] = 2;
  shmem_barrier_all();
}

static void waits(struct vars vars) {
  if (me == 0) shmem_long_p(vars.word, 5, next);
  shmem_long_wait_until(vars.word, SHMEM_CMP_EQ, 5);
  if (me > 0) shmem_long_p(vars.word, 5, next);
  shmem_barrier_all();
  *vars.word = 0;
  shmem_barrier_all();
}

static void locks(struct vars vars) {
  enum { TURNS = 5 };
  for (int i = 0; i < TURNS; i++) {
    shmem_set_lock(vars.lock);
    shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
    shmem_clear_lock(vars.lock);
  }
  shmem_barrier_all();
  if (me == 0) CHECK_EQ(counter, TURNS * pes);
  counter = 0;
  shmem_barrier_all();
}

/* A child's variables are its own, in each library. */
static void forks(struct vars one, struct vars other) {
  int code = -1;
  *one.word = *other.word = counter = 5;
  pid_t child = fork();
  if (child == 0) {
    const int good = *one.word == 5 && *other.word == 5 && counter == 5;
    *one.word = *other.word = counter = 6;
    _exit(good ? 0 : 1);
  }
  CHECK(child > 0 && waitpid(child, &code, 0) == child && code == 0);
  CHECK(*one.word == 5 && *other.word == 5 && counter == 5);
  *one.word = *other.word = counter = 0;
}

static void run(struct vars vars) {
  questions(vars);
  transfers(vars);
  waits(vars);
  locks(vars);
}

int main(void) {
  const struct vars one = first_vars(), other = second_vars();
  start();
  run(one);
  run(other);
  CHECK_EQ(first_exported, 7);
  forks(one, other);
  one.list[2] = me + 100;
  shmem_finalize();
  CHECK(one.list[2] == me + 100 && other.large[0] == 1 && first_exported == 7); /* as they were */
  one.list[2] = 3;
  start();
  run(one);
  return finish();
}
