/* The program and the shared libraries that were loaded with it, as far as their static variables are the program's.
 *
 * An image counts if the program needs it, directly or through other libraries (DT_NEEDED). Of the libraries those do not count that
 * lie in the system's folders (/lib*, /usr/lib*), nor those that Tessera needs, such as the MPI, wherever they lie. */
#ifndef TSR_NODE_IMAGES_H
#define TSR_NODE_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

/* Writable pages of an image, without what the dynamic linker has made read-only; one of them for each of its segments. */
struct tsr_image {
  char *begin;
  size_t bytes;  /* whole pages; not 0 */
  size_t filled; /* of them, from the beginning: pages with contents of a file, whether they were touched or not */
  int64_t key;  /* > 0; equal for images of one build id, or without build ids of one name, if they have as many bytes */
  bool is_program; /* the program's, */
  bool is_first;   /* and the first segment of the program or library: the ordinary one */
  char *alias;  /* node/data.h */
};

/* What Tessera and the MPI are known by: a function or variable of each. */
struct tsr_image_marks {
  const void *const *list;
  size_t n;
};

/* Those that count, in the order in which they were loaded: the program first. The caller frees the list.
 * TESSERA_ERR_MEMORY: no private memory; not logged. */
tessera_status_t tsr_images_find(struct tsr_image_marks marks, struct tsr_image **list, size_t *n);

/* What an address is, for messages. */
enum tsr_image_kind {
  TSR_IMAGE_NONE,         /* no variable of an image that is known, */
  TSR_IMAGE_OWN,          /* one of an image that counts, */
  TSR_IMAGE_FOREIGN,      /* of a library of the system, the MPI or Tessera, */
  TSR_IMAGE_LATER,        /* of a library that the program does not need: it was loaded by dlopen(), */
  TSR_IMAGE_THREAD_LOCAL, /* a variable of the calling thread */
};
/* The path of the image is copied to `name`, cut where that ends; that of the program is "the program". */
enum tsr_image_kind tsr_images_classify(struct tsr_image_marks marks, const void *address, char name[], size_t name_bytes);

#endif
