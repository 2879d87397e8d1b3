/* The program and the shared libraries that were loaded with it, as far as their static variables are the program's.
 *
 * An image counts if the program needs it, directly or through other libraries (DT_NEEDED). Libraries in the system's folders
 * (/lib*, /usr/lib*) do not count, nor do libraries that Tessera needs, such as the MPI, wherever they lie. */
#ifndef TSR_NODE_IMAGES_H
#define TSR_NODE_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

/* Writable pages of an image, without those that the dynamic linker has made read-only; one struct for each of its segments. */
struct tsr_image {
  char *begin;
  size_t bytes;  /* whole pages; not 0 */
  size_t filled; /* bytes from the beginning whose pages have contents of a file, whether they were touched or not */
  int64_t key;  /* > 0; equal for the same segment of images with the same build id (without build ids: the same name) and size */
  bool is_program; /* a segment of the program, not of a library */
  bool is_first;   /* the first segment of the program or library: the ordinary one */
  char *alias;  /* node/data.h */
};

/* Addresses by which Tessera and the MPI are recognised: a function or variable of each. */
struct tsr_image_marks {
  const void *const *list;
  size_t n;
};

/* Finds the images that count, in the order in which they were loaded: the program first. The caller frees the list.
 * TESSERA_ERR_MEMORY: no private memory; not logged. */
tessera_status_t tsr_images_find(struct tsr_image_marks marks, struct tsr_image **list, size_t *n);

/* What an address is, for messages. */
enum tsr_image_kind {
  TSR_IMAGE_NONE,         /* no variable of a known image */
  TSR_IMAGE_OWN,          /* a variable of an image that counts */
  TSR_IMAGE_FOREIGN,      /* a variable of a library of the system, the MPI or Tessera */
  TSR_IMAGE_LATER,        /* a variable of a library that the program does not need: dlopen() loaded it */
  TSR_IMAGE_THREAD_LOCAL, /* a variable of the calling thread */
};
/* Copies the path of the image to `name`, cut to `name_bytes`; for the program, "the program". */
enum tsr_image_kind tsr_images_classify(struct tsr_image_marks marks, const void *address, char name[], size_t name_bytes);

#endif
