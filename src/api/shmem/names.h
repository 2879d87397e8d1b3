/* Included at the end of a file, before the tables of the functions that the file defines as pshmem_NAME. Makes shmem_NAME a weak
 * alias of each, which a profiling tool may define itself. */
#undef SHMEMI_FN
#undef SHMEMI_CTX_FN
#define SHMEMI_FN(result, name, ...) \
  extern __typeof__(pshmem_##name) shmem_##name __attribute__((weak, alias("pshmem_" #name)));
#define SHMEMI_CTX_FN(result, name, ...)                                                        \
  extern __typeof__(pshmem_##name) shmem_##name __attribute__((weak, alias("pshmem_" #name))); \
  extern __typeof__(pshmem_ctx_##name) shmem_ctx_##name __attribute__((weak, alias("pshmem_ctx_" #name)));
