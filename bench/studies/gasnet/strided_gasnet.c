/* strided: puts of sections of arrays with 1, 3, 8 and 32 dimensions, from unit 0 to the last unit. strided.h describes the
 * shapes. With one unit it puts to itself. Three ways:
 *
 *   strided.*            gex_VIS_StridedPutBlocking: the library does it.
 *   packed.fixed.*       The program packs elements into a buffer of its own and sends them as active messages of fixed
 *                        payload; the handler unpacks them.
 *   packed.negotiated.*  The same with negotiated payload: the program asks for room for all elements that are left, and
 *                        packs as many as it gets directly into the message.
 *
 * A packed transfer is complete when the target has acknowledged all its messages. After each sample the target checks
 * elements and gaps.
 *
 * Options: --log2-elements, --from and --to (bytes of an element: multiples of 8; each is eight times the one before),
 * --ms (of a sample), --samples. */
#include "client.h"
#include <gasnet_vis.h>
#include "strided.h"

enum { ELEMENTS = 200, STORED = 201, ARGS_N = 2, ELEMENT_FACTOR = 8 };

static struct shape *shapes; /* all of the present size of elements */
static char *destination;    /* in the target */
static char *source, *own;   /* in unit 0: a section, and a buffer for fixed payloads */

/* ---- The library's strided put ---- */

static void put_strided(int which) {
  const struct shape *s = &shapes[which];
  gex_VIS_StridedPutBlocking(job.team, job.last, destination, s->strides, source, s->strides, s->element, s->extents,
                             (size_t)s->dimensions, 0);
}

/* ---- Packed by the program ---- */

static volatile long unstored; /* messages that are not acknowledged */

/* The arguments are the number of the shape, and that of the first element. */
static void on_elements(gex_Token_t token, void *data, size_t bytes, gex_AM_Arg_t which, gex_AM_Arg_t first) {
  const struct shape *s = &shapes[which];
  unpack(s, destination, data, (size_t)first, bytes / s->element);
  gex_AM_ReplyShort0(token, STORED, 0);
}

static void on_stored(gex_Token_t token) {
  (void)token;
  unstored--;
}

/* Each message is as large as the library accepts. */
static void put_fixed(int which) {
  const struct shape *s = &shapes[which];
  const size_t most = gex_AM_MaxRequestMedium(job.team, job.last, GEX_EVENT_NOW, 0, ARGS_N) / s->element;
  for (size_t first = 0, n; first < s->elements_n; first += n) {
    n = s->elements_n - first < most ? s->elements_n - first : most;
    pack(own, s, source, first, n);
    unstored++;
    gex_AM_RequestMedium2(job.team, job.last, ELEMENTS, own, n * s->element, GEX_EVENT_NOW, 0, which, (gex_AM_Arg_t)first);
  }
  GASNET_BLOCKUNTIL(unstored == 0);
}

/* The library decides how many elements a message gets: at least one. */
static void put_negotiated(int which) {
  const struct shape *s = &shapes[which];
  for (size_t first = 0, n; first < s->elements_n; first += n) {
    const size_t left = (s->elements_n - first) * s->element;
    gex_AM_SrcDesc_t room =
        gex_AM_PrepareRequestMedium(job.team, job.last, NULL, s->element, left, NULL, 0, ARGS_N);
    n = gex_AM_SrcDescSize(room) / s->element;
    pack(gex_AM_SrcDescAddr(room), s, source, first, n);
    unstored++;
    gex_AM_CommitRequestMedium2(room, ELEMENTS, n * s->element, which, (gex_AM_Arg_t)first);
  }
  GASNET_BLOCKUNTIL(unstored == 0);
}

/* ---- The measurement ---- */

struct way {
  const char *name;
  void (*put)(int which);
};
static const struct way ways[] = {
    {"strided", put_strided}, {"packed.fixed", put_fixed}, {"packed.negotiated", put_negotiated}};

/* Seconds of the caller for a sample. Units that do not put wait in the second barrier, where they run handlers. */
static double sample(const struct way *way, int which, uint32_t key, long repeats_n) {
  if (job.me == 0) fill_section(&shapes[which], source, key);
  if (job.me == job.last) clear_section(&shapes[which], destination);
  barrier();
  const double since = study_now();
  for (long i = 0; job.me == 0 && i < repeats_n; i++) way->put(which);
  const double seconds = study_now() - since;
  barrier();
  require(job.me != job.last || section_is(&shapes[which], destination, key), "a section that was put");
  return seconds;
}

#include "strided_measure.h"

int main(int argc, char **argv) {
  gex_AM_Entry_t handlers[] = {
      {ELEMENTS, (gex_AM_Fn_t)on_elements, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, ARGS_N, NULL, "elements"},
      {STORED, (gex_AM_Fn_t)on_stored, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, "stored"},
  };
  start("strided_gasnet", argc, argv, STRIDED_OPTIONS_N, strided_options);
  attach(largest_span());
  register_handlers(handlers, 2);
  destination = job.segments[job.last];
  source = memory_of(largest_span());
  own = memory_of(gex_AM_MaxRequestMedium(job.team, job.last, GEX_EVENT_NOW, 0, ARGS_N));
  for (long element = from_element / 8 * 8; element <= to_element; element *= ELEMENT_FACTOR) {
    shapes = make_shapes((size_t)element);
    barrier(); /* the target has its shapes before messages come */
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
      for (int which = 0; which < STRIDED_SHAPES_N; which++) measure(&ways[way], which);
    free_shapes(shapes);
  }
  free(source), free(own);
  gasnet_exit(0);
}
