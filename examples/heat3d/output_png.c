/* output_png: the three middle slices side by side, true to scale, with a colour bar. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../picture.h"
#include "heat3d.h"

enum {
  MARGIN = 20,    /* pixels, as all below */
  LONGEST = 300,  /* the longest edge of the box */
  BAR_WIDTH = 20, /* of the colour bar */
  FONT_SCALE = 2,
  GLYPH_STEP = 6 * FONT_SCALE,
  TEXT_HEIGHT = 7 * FONT_SCALE,
  LABEL_CHARS = 9 /* beside the colour bar */
};

/* ---- collecting ---- */

/* Axes of the slice normal to `axis`: across and up. */
static int across(int axis) { return axis == X ? Y : X; }
static int up(int axis) { return axis == Z ? Y : Z; }

bool slices_make(const problem *in, slices *out)
{
  *out = (slices){.in = in, .coldest = INFINITY, .hottest = -INFINITY};
  for (int axis = 0; axis < AXES; axis++) {
    const size_t cells = (size_t)in->cells[across(axis)] * (size_t)in->cells[up(axis)];
    out->slice[axis] = malloc(cells * sizeof *out->slice[axis]);
    if (!out->slice[axis]) {
      slices_free(out);
      return false;
    }
  }
  return true;
}

void slices_free(slices *s)
{
  for (int axis = 0; axis < AXES; axis++) free(s->slice[axis]);
}

void slices_plane(slices *s, const double *plane, int z)
{
  const size_t nx = (size_t)s->in->cells[X], ny = (size_t)s->in->cells[Y];
  for (size_t i = 0; i < nx * ny; i++) {
    s->coldest = fmin(s->coldest, plane[i]);
    s->hottest = fmax(s->hottest, plane[i]);
  }
  double *to = s->slice[X] + (size_t)z * ny;
  for (size_t y = 0; y < ny; y++) to[y] = 0.5 * (plane[y * nx + (nx - 1) / 2] + plane[y * nx + nx / 2]);
  to = s->slice[Y] + (size_t)z * nx;
  for (size_t x = 0; x < nx; x++) to[x] = 0.5 * (plane[(ny - 1) / 2 * nx + x] + plane[ny / 2 * nx + x]);

  to = s->slice[Z];
  if (z == (s->in->cells[Z] - 1) / 2) memcpy(to, plane, nx * ny * sizeof *plane);
  if (z == s->in->cells[Z] / 2)
    for (size_t i = 0; i < nx * ny; i++) to[i] = 0.5 * (to[i] + plane[i]);
}

/* ---- drawing ---- */

static const colour ink = {40, 40, 48}, paper = {255, 255, 255};

/* Dark blue over violet and red to pale yellow, steadily brighter, so that it also reads in grey. */
static colour colour_of(double part)
{
  static const double stop[][3] = {{10, 12, 60},   {66, 20, 128},   {150, 32, 122}, {216, 62, 74},
                                   {245, 128, 38}, {252, 196, 70}, {255, 248, 190}};
  const int last = (int)(sizeof stop / sizeof stop[0]) - 1;
  const double place = fmin(fmax(part, 0.0), 1.0) * last;
  const int i = (int)fmin(place, last - 1);
  double mixed[3];
  for (int c = 0; c < 3; c++) mixed[c] = stop[i][c] + (place - i) * (stop[i + 1][c] - stop[i][c]);
  return (colour){(unsigned char)lround(mixed[0]), (unsigned char)lround(mixed[1]), (unsigned char)lround(mixed[2])};
}

static void set_pixel(picture *p, int x, int y, colour c)
{
  if (x >= 0 && x < p->width && y >= 0 && y < p->height) p->pixel[(size_t)y * (size_t)p->width + (size_t)x] = c;
}

static void draw_frame(picture *p, int left, int top, int width, int height)
{
  for (int x = -1; x <= width; x++) {
    set_pixel(p, left + x, top - 1, ink);
    set_pixel(p, left + x, top + height, ink);
  }
  for (int y = -1; y <= height; y++) {
    set_pixel(p, left - 1, top + y, ink);
    set_pixel(p, left + width, top + y, ink);
  }
}

/* Five columns of seven dots; the lowest bit of a row is its rightmost dot. */
static const struct {
  char character;
  unsigned char row[7];
} font[] = {
  {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},     {'2', {14, 17, 1, 6, 8, 16, 31}},
  {'3', {30, 1, 1, 14, 1, 1, 30}},     {'4', {2, 6, 10, 18, 31, 2, 2}},    {'5', {31, 16, 30, 1, 1, 17, 14}},
  {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},      {'8', {14, 17, 17, 14, 17, 17, 14}},
  {'9', {14, 17, 17, 15, 1, 2, 12}},   {'.', {0, 0, 0, 0, 0, 12, 12}},     {'-', {0, 0, 0, 14, 0, 0, 0}},
  {'+', {0, 4, 4, 31, 4, 4, 0}},       {'=', {0, 0, 31, 0, 31, 0, 0}},     {'e', {0, 0, 14, 17, 31, 16, 14}},
  {'m', {0, 0, 26, 21, 21, 21, 21}},   {'s', {0, 0, 15, 16, 14, 1, 30}},   {'t', {8, 8, 28, 8, 8, 9, 6}},
  {'x', {0, 0, 17, 10, 4, 10, 17}},    {'y', {0, 0, 17, 17, 15, 1, 14}},   {'z', {0, 0, 31, 2, 4, 8, 31}},
  {'K', {17, 18, 20, 24, 20, 18, 17}},
};

static void draw_character(picture *p, int left, int top, char character)
{
  for (size_t i = 0; i < sizeof font / sizeof font[0]; i++) {
    if (font[i].character != character) continue;
    for (int y = 0; y < 7 * FONT_SCALE; y++)
      for (int x = 0; x < 5 * FONT_SCALE; x++)
        if (font[i].row[y / FONT_SCALE] >> (4 - x / FONT_SCALE) & 1) set_pixel(p, left + x, top + y, ink);
  }
}

static void draw_text(picture *p, int left, int top, const char *text)
{
  for (; *text; text++, left += GLYPH_STEP) draw_character(p, left, top, *text);
}

/* ---- the slices as panels ---- */

/* Value at a place between cell centres, in cells from the first corner of the slice. */
static double sample(const double *slice, int nx, int ny, double x, double y)
{
  x = fmin(fmax(x - 0.5, 0.0), nx - 1);
  y = fmin(fmax(y - 0.5, 0.0), ny - 1);
  const int i = (int)x, j = (int)y, right = i + 1 < nx ? i + 1 : i, above = j + 1 < ny ? j + 1 : j;
  const double *low = slice + (size_t)j * (size_t)nx, *high = slice + (size_t)above * (size_t)nx;
  const double at_low = low[i] + (x - i) * (low[right] - low[i]), at_high = high[i] + (x - i) * (high[right] - high[i]);
  return at_low + (y - j) * (at_high - at_low);
}

/* Pixels of an edge of the box. */
static int edge(const problem *in, int axis)
{
  const double longest = fmax(in->length[X], fmax(in->length[Y], in->length[Z]));
  return (int)fmax(1.0, lround(LONGEST * in->length[axis] / longest));
}

static double share_of_range(const slices *s, double temperature)
{
  return s->hottest > s->coldest ? (temperature - s->coldest) / (s->hottest - s->coldest) : 0.0;
}

static void draw_slice(picture *p, const slices *s, int axis, int left, int top)
{
  const int nx = s->in->cells[across(axis)], ny = s->in->cells[up(axis)];
  const int width = edge(s->in, across(axis)), height = edge(s->in, up(axis));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const double value = sample(s->slice[axis], nx, ny, (x + 0.5) * nx / width, (height - y - 0.5) * ny / height);
      set_pixel(p, left + x, top + y, colour_of(share_of_range(s, value)));
    }
  draw_frame(p, left, top, width, height);
}

/* "z = 0.05 m": where the slice lies. */
static void title_of(const slices *s, int axis, char *text, size_t bytes)
{
  snprintf(text, bytes, "%c = %.3g m", "xyz"[axis], 0.5 * s->in->length[axis]);
}

static int panel_width(const slices *s, int axis)
{
  char title[32];
  title_of(s, axis, title, sizeof title);
  const int text = (int)strlen(title) * GLYPH_STEP, slice = edge(s->in, across(axis));
  return text > slice ? text : slice;
}

static void draw_colour_bar(picture *p, const slices *s, int left, int top)
{
  char text[32];
  for (int y = 0; y < LONGEST; y++)
    for (int x = 0; x < BAR_WIDTH; x++)
      set_pixel(p, left + x, top + y, colour_of((LONGEST - y - 0.5) / LONGEST));
  draw_frame(p, left, top, BAR_WIDTH, LONGEST);

  for (int tick = 0; tick <= 4; tick++) {
    const double value = s->coldest + tick * (s->hottest - s->coldest) / 4;
    const int y = top + (4 - tick) * (LONGEST - TEXT_HEIGHT) / 4;
    snprintf(text, sizeof text, "%.*f K", s->hottest - s->coldest < 20.0 ? 2 : 0, value);
    draw_text(p, left + BAR_WIDTH + 8, y, text);
  }
}

static void draw_all(picture *p, const slices *s, double time)
{
  static const int order[AXES] = {Z, Y, X};
  const int top = MARGIN + TEXT_HEIGHT + 10, text_below = top + LONGEST + 14;
  char text[32];
  int left = MARGIN;
  for (int i = 0; i < AXES; i++) {
    title_of(s, order[i], text, sizeof text);
    draw_text(p, left, MARGIN, text);
    draw_slice(p, s, order[i], left, top + LONGEST - edge(s->in, up(order[i])));
    left += panel_width(s, order[i]) + MARGIN;
  }
  draw_colour_bar(p, s, left, top);
  snprintf(text, sizeof text, "t = %.4g s", time);
  draw_text(p, MARGIN, text_below, text);
}

static bool make_picture(const slices *s, picture *out)
{
  int width = MARGIN + BAR_WIDTH + 8 + LABEL_CHARS * GLYPH_STEP + MARGIN;
  for (int axis = 0; axis < AXES; axis++) width += panel_width(s, axis) + MARGIN;
  return picture_make(out, width, MARGIN + TEXT_HEIGHT + 10 + LONGEST + 14 + TEXT_HEIGHT + MARGIN, paper);
}

bool slices_write(const slices *s, const char *file, double time)
{
  picture p;
  if (!make_picture(s, &p)) {
    fprintf(stderr, "heat3d: %s: no memory for the picture\n", file);
    return false;
  }
  draw_all(&p, s, time);

  const bool written = picture_write("heat3d", &p, file);
  free(p.pixel);
  return written;
}
