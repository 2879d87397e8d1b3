/* A picture in memory, and its PNG file by libpng. */
#ifndef EXAMPLES_PICTURE_H
#define EXAMPLES_PICTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <png.h>

typedef struct {
  unsigned char red, green, blue;
} colour;

typedef struct {
  int width, height;
  colour *pixel; /* rows from the top; to be freed by the caller */
} picture;

/* Makes a picture of one colour. Returns false if there is no memory. */
static inline bool picture_make(picture *p, int width, int height, colour paper)
{
  const size_t pixels = (size_t)width * (size_t)height;
  *p = (picture){width, height, malloc(pixels * sizeof *p->pixel)};
  for (size_t i = 0; p->pixel && i < pixels; i++) p->pixel[i] = paper;
  return p->pixel;
}

/* Writes the file. Returns false, and prints why, if it cannot. */
static inline bool picture_write(const char *program, const picture *p, const char *file)
{
  png_image image = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB};
  image.width = (png_uint_32)p->width;
  image.height = (png_uint_32)p->height;
  const bool written = png_image_write_to_file(&image, file, 0, p->pixel, 0, NULL);
  if (!written) fprintf(stderr, "%s: %s: cannot write: %s\n", program, file, image.message);
  png_image_free(&image);
  return written;
}

#endif
