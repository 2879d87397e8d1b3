/* Put and get (OpenSHMEM 1.5, 9.5 and 9.6; block-strided forms of 1.6). A table of functions: see shmem.h.
 *
 * `dest` of a put and `source` of a get are symmetric; the other buffer may be any memory. Without _nbi, a put returns when
 * `source` may be reused, and a get when its data has arrived. The data of a put has arrived at the target after shmem_quiet. With
 * _nbi, both buffers stay in use until shmem_quiet. Sizes and strides count elements. In functions with a number in their names,
 * elements have that number of bits; in functions with `mem`, they are bytes. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

#define SHMEMI_RMA_ROW(NAME, T)                                                                                            \
  /* Copies `nelems` elements from `source` to `dest` of the PE. */                                                        \
  SHMEMI_CTX_FN(void, NAME##_put, T *dest, const T *source, size_t nelems, int pe)                                         \
  /* Copies `nelems` elements from `source` of the PE to `dest`. */                                                        \
  SHMEMI_CTX_FN(void, NAME##_get, T *dest, const T *source, size_t nelems, int pe)                                         \
  /* Stores one element in `dest` of the PE. */                                                                            \
  SHMEMI_CTX_FN(void, NAME##_p, T *dest, T value, int pe)                                                                  \
  /* Returns the element `source` of the PE. */                                                                            \
  SHMEMI_CTX_FN(T, NAME##_g, const T *source, int pe)                                                                      \
  /* Copies `nelems` elements, which are `sst` apart in `source`, to places that are `dst` apart in `dest` of the PE.      \
   * Strides are 1 or more. */                                                                                             \
  SHMEMI_CTX_FN(void, NAME##_iput, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)          \
  /* Copies `nelems` elements, which are `sst` apart in `source` of the PE, to places that are `dst` apart in `dest`.      \
   * Strides are 1 or more. */                                                                                             \
  SHMEMI_CTX_FN(void, NAME##_iget, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)          \
  /* Copies `nblocks` blocks of `bsize` elements, which begin `sst` apart in `source`, to places that are `dst` apart in   \
   * `dest` of the PE. Strides are `bsize` or more. */                                                                     \
  SHMEMI_CTX_FN(void, NAME##_ibput, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,  \
                int pe)                                                                                                    \
  /* Copies `nblocks` blocks of `bsize` elements, which begin `sst` apart in `source` of the PE, to places that are `dst`  \
   * apart in `dest`. Strides are `bsize` or more. */                                                                      \
  SHMEMI_CTX_FN(void, NAME##_ibget, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,  \
                int pe)                                                                                                    \
  /* Starts to copy `nelems` elements from `source` to `dest` of the PE. `source` may be reused after shmem_quiet. */      \
  SHMEMI_CTX_FN(void, NAME##_put_nbi, T *dest, const T *source, size_t nelems, int pe)                                     \
  /* Starts to copy `nelems` elements from `source` of the PE to `dest`, which has them after shmem_quiet. */              \
  SHMEMI_CTX_FN(void, NAME##_get_nbi, T *dest, const T *source, size_t nelems, int pe)
SHMEMI_RMA_TYPES(SHMEMI_RMA_ROW)
#undef SHMEMI_RMA_ROW

#define SHMEMI_RMA_ROW(SIZE)                                                                                               \
  SHMEMI_CTX_FN(void, put##SIZE, void *dest, const void *source, size_t nelems, int pe)                                    \
  SHMEMI_CTX_FN(void, get##SIZE, void *dest, const void *source, size_t nelems, int pe)                                    \
  SHMEMI_CTX_FN(void, iput##SIZE, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)     \
  SHMEMI_CTX_FN(void, iget##SIZE, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)     \
  SHMEMI_CTX_FN(void, ibput##SIZE, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,             \
                size_t nblocks, int pe)                                                                                    \
  SHMEMI_CTX_FN(void, ibget##SIZE, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,             \
                size_t nblocks, int pe)                                                                                    \
  SHMEMI_CTX_FN(void, put##SIZE##_nbi, void *dest, const void *source, size_t nelems, int pe)                              \
  SHMEMI_CTX_FN(void, get##SIZE##_nbi, void *dest, const void *source, size_t nelems, int pe)
SHMEMI_SIZES(SHMEMI_RMA_ROW)
#undef SHMEMI_RMA_ROW

SHMEMI_CTX_FN(void, putmem, void *dest, const void *source, size_t nelems, int pe)
SHMEMI_CTX_FN(void, getmem, void *dest, const void *source, size_t nelems, int pe)
SHMEMI_CTX_FN(void, putmem_nbi, void *dest, const void *source, size_t nelems, int pe)
SHMEMI_CTX_FN(void, getmem_nbi, void *dest, const void *source, size_t nelems, int pe)

#endif
