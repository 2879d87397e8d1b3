/* strided, MPI version. The counterparts of the three ways:
 *
 *   strided.*            MPI_Put with derived datatypes (nested vectors, committed once) and MPI_Win_flush.
 *   packed.fixed.*       The program packs into its buffer; MPI_Send; the target receives and unpacks.
 *   packed.negotiated.*  MPI_Send and MPI_Recv with the datatype: the program needs no buffer, and MPI packs.
 *
 * A packed transfer ends with an acknowledgement, as in the GASNet program.
 *
 * Options: as strided_gasnet. At least 2 ranks: a rank cannot wait for its own message. */
#include "peer.h"
#include "strided.h"

enum { ELEMENT_FACTOR = 8, DATA = 0, ACKNOWLEDGEMENT = 1 };

static struct shape *shapes;
static MPI_Datatype types[STRIDED_SHAPES_N];
static struct window window;
static char *source, *own; /* a section of rank 0; a buffer for packed elements */

/* Each dimension is a vector of the one inside. */
static MPI_Datatype make_type(const struct shape *s) {
  MPI_Datatype type;
  MPI_Type_contiguous((int)s->element, MPI_BYTE, &type);
  for (int d = 0; d < s->dimensions; d++) {
    MPI_Datatype outer;
    MPI_Type_create_hvector((int)s->extents[d], 1, (MPI_Aint)s->strides[d], type, &outer);
    MPI_Type_free(&type);
    type = outer;
  }
  MPI_Type_commit(&type);
  return type;
}

/* ---- The three ways, for rank 0 and for the target ---- */

static void put_strided(int which) {
  MPI_Put(source, 1, types[which], job.last, 0, 1, types[which], window.win);
  MPI_Win_flush(job.last, window.win);
}

static void await_acknowledgement(void) {
  MPI_Recv(NULL, 0, MPI_BYTE, job.last, ACKNOWLEDGEMENT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void acknowledge(void) { MPI_Send(NULL, 0, MPI_BYTE, 0, ACKNOWLEDGEMENT, MPI_COMM_WORLD); }

static void send_packed(int which) {
  const struct shape *s = &shapes[which];
  pack(own, s, source, 0, s->elements_n);
  MPI_Send(own, (int)shape_bytes(s), MPI_BYTE, job.last, DATA, MPI_COMM_WORLD);
  await_acknowledgement();
}
static void receive_packed(int which) {
  const struct shape *s = &shapes[which];
  MPI_Recv(own, (int)shape_bytes(s), MPI_BYTE, 0, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  unpack(s, window.mine, own, 0, s->elements_n);
  acknowledge();
}

static void send_type(int which) {
  MPI_Send(source, 1, types[which], job.last, DATA, MPI_COMM_WORLD);
  await_acknowledgement();
}
static void receive_type(int which) {
  MPI_Recv(window.mine, 1, types[which], 0, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  acknowledge();
}

static void nothing(int which) { (void)which; }

/* ---- The measurement ---- */

struct way {
  const char *name;
  void (*put)(int which), (*take)(int which);
};
static const struct way ways[] = {{"strided", put_strided, nothing},
                                  {"packed.fixed", send_packed, receive_packed},
                                  {"packed.negotiated", send_type, receive_type}};

static double sample(const struct way *way, int which, uint32_t key, long repeats_n) {
  if (job.me == 0) fill_section(&shapes[which], source, key);
  if (job.me == job.last) clear_section(&shapes[which], window.mine);
  MPI_Win_sync(window.win);
  barrier();
  const double since = study_now();
  for (long i = 0; i < repeats_n; i++) {
    if (job.me == 0) way->put(which);
    else if (job.me == job.last) way->take(which);
  }
  const double seconds = study_now() - since;
  barrier();
  MPI_Win_sync(window.win);
  require(job.me != job.last || section_is(&shapes[which], window.mine, key), "a section that was put");
  return seconds;
}

#include "strided_measure.h"

static void measure_all(size_t element) {
  shapes = make_shapes(element);
  for (int which = 0; which < STRIDED_SHAPES_N; which++) types[which] = make_type(&shapes[which]);
  for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
    for (int which = 0; which < STRIDED_SHAPES_N; which++) measure(&ways[way], which);
  for (int which = 0; which < STRIDED_SHAPES_N; which++) MPI_Type_free(&types[which]);
  free_shapes(shapes);
}

int main(int argc, char **argv) {
  start("strided_mpi", argc, argv, STRIDED_OPTIONS_N, strided_options);
  need_ranks("strided_mpi", 2);
  window = open_window(largest_span());
  source = memory_of(largest_span());
  own = memory_of((size_t)to_element << log2_elements);
  for (long element = from_element / 8 * 8; element <= to_element; element *= ELEMENT_FACTOR) measure_all((size_t)element);
  close_window(&window);
  free(source), free(own);
  leave_with(0);
}
