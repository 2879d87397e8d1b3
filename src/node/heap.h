/* The heaps of one node: equal slices of one sparse range that every unit of the node has mapped once.
 *
 * Slices are a power of two long, but a little more than that apart. Otherwise equal offsets of two heaps would agree in all low
 * address bits: a cache that predicts its way from those bits (AMD's first level) misses on every line of a copy between them, and
 * one set of the cache and of the TLB serves that offset of all heaps. */
#ifndef TSR_NODE_HEAP_H
#define TSR_NODE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "node/buddy.h"
#include "node/memory.h"

/* This process's view; constant between mapping and unmapping. The hot part of every same-node access. */
struct tsr_heap {
  char *base;           /* first slice */
  uint64_t stride;      /* from one slice to the next, at least the length of a slice */
  uint32_t slice_shift; /* a slice is 2^slice_shift bytes */
  uint32_t units_n;     /* slices = units of the node */
  uint32_t self;        /* own slice */
  uint32_t ranks_n;     /* processes of the job */
  struct tsr_node_memory *memory;
};
extern struct tsr_heap tsr_heap;

/* A byte of a unit of this node, as its distance from the base and as an address: one multiplication, no table. */
static inline uint64_t tsr_heap_distance(uint32_t local, uint64_t off) { return local * tsr_heap.stride + off; }
static inline void *tsr_heap_at(uint32_t local, uint64_t off) { return tsr_heap.base + tsr_heap_distance(local, off); }
static inline uint64_t tsr_heap_slice_bytes(void) { return (uint64_t)1 << tsr_heap.slice_shift; }
static inline struct tsr_node_unit *tsr_heap_unit(uint32_t local) { return &tsr_heap.memory->units[local]; }

/* Whether `address` lies in a heap of this node; then stores the unit and the offset. All gaps together are no longer than a
 * slice, so the shift finds the slice or the one after it. */
static inline bool tsr_heap_contains(const void *address, uint32_t *local, uint64_t *off) {
  uint64_t distance = (uint64_t)((const char *)address - tsr_heap.base);
  uint64_t slice = distance >> tsr_heap.slice_shift;
  if (slice > tsr_heap.units_n) return false;
  if (slice * tsr_heap.stride > distance) slice--;
  uint64_t at = distance - slice * tsr_heap.stride;
  if (slice == tsr_heap.units_n || at >= tsr_heap_slice_bytes()) return false;
  *local = (uint32_t)slice;
  *off = at;
  return true;
}

enum { TSR_HEAP_SLICE_ORDER_MIN = 20 };

/* Order (log2 bytes) of a slice. The first function returns the order that this host's memory and this configuration ask for, the
 * second one the largest order that leaves room for the slices of `units_n` units. Both are at least the minimum. */
unsigned tsr_heap_slice_order(void);
unsigned tsr_heap_slice_order_max(uint32_t units_n);

/* What the size of the node's memory follows from. */
struct tsr_heap_shape {
  uint32_t units_n; /* of the node */
  unsigned slice_order;
  uint32_t ranks_n; /* of the job */
};

/* First unit of the node: makes the node's memory, sealed against resizing. Returns the descriptor, or -1. */
int tsr_heap_make(const struct tsr_heap_shape *shape);

/* Any unit: maps the node's memory with the heaps at `base` (NULL: anywhere). TESSERA_ERR_MEMORY: there is no room; not logged. */
tessera_status_t tsr_heap_map(int fd, const struct tsr_heap_shape *shape, uint32_t self, void *base);
void tsr_heap_unmap(void);

/* From here on the pages of freed blocks stay in the node's memory: other processes may have registered them with a device, and
 * would go on with pages that are no part of the heap any more. */
void tsr_heap_keep_pages(void);

/* Zeroes whole pages of the own heap. They take no memory until they are touched, unless pages are kept. */
void tsr_heap_clear(void *pages, size_t bytes);

/* The transport's tsr_memory_net_bytes, after the last slice. */
static inline void *tsr_heap_net_memory(void) { return tsr_heap_at(tsr_heap.units_n, 0); }

/* After mapping, own slice: makes its allocator empty (again), and gives its pages back. */
tessera_status_t tsr_heap_reset(void);

/* Bytes in live blocks of all heaps of the node; exact while no unit allocates or frees. */
int64_t tsr_heap_live_bytes(void);

/* The largest block that this unit could still take, if `takers_n` units of the node took one each. */
size_t tsr_heap_room(uint32_t takers_n);

/* Size of the largest free block of the own heap. Any thread. */
uint64_t tsr_heap_largest_block(void);

/* What a block is for: parts of segments and symmetric blocks grow from the bottom of the slice, so that their offsets agree
 * between units; the rest from the top. */
enum tsr_heap_use {
  TSR_HEAP_SEGMENT,
  TSR_HEAP_INTERNAL,  /* the library's */
  TSR_HEAP_SYMMETRIC, /* core/symmetric.h */
  TSR_HEAP_LOCAL      /* the program's local blocks; so are higher numbers (+ enum tsr_api: core/segment) */
};

/* Blocks of the own slice; thread-safe. `bytes` may be 0 (a block of the smallest size, so that the offset is
 * unique). TESSERA_ERR_MEMORY: logged with what was asked, what is available and which variable to change. */
tessera_status_t tsr_heap_alloc(size_t bytes, enum tsr_heap_use use, uint64_t *off);
/* The same at a given place; not logged. TESSERA_ERR_RANGE: not free there; TESSERA_ERR_MEMORY. */
tessera_status_t tsr_heap_alloc_at(uint64_t off, size_t bytes);
/* The same at the lowest free place from `from` on; not logged. Its status and errno are for tsr_heap_explain(), which logs
 * the same errors as tsr_heap_alloc(). */
tessera_status_t tsr_heap_alloc_from(uint64_t from, size_t bytes, enum tsr_heap_use use, uint64_t *off);
tessera_status_t tsr_heap_explain(tessera_status_t status, size_t bytes);
/* Bytes from the start of a block of `bytes` that no other block has. */
uint64_t tsr_heap_rounded(uint64_t bytes);
/* Gives the end of a live block back, which keeps its place and its first `bytes` (not 0). The address space behind them stays a
 * part of the block. Cannot fail for lack of memory. TESSERA_ERR_NOT_FOUND: no live block of this use with so many bytes starts
 * there. */
tessera_status_t tsr_heap_shrink(uint64_t off, size_t bytes, enum tsr_heap_use use);
/* TESSERA_ERR_NOT_FOUND: no live block of this use starts there. */
tessera_status_t tsr_heap_free(uint64_t off, enum tsr_heap_use use);
/* The live block that holds the byte at `off`: its use, start and bytes (or NULL); -1: none does. */
int tsr_heap_find(uint64_t off, uint64_t *start, uint64_t *bytes);
/* Moves *off on to where the next live block of this use starts, at *off or behind it. False: none does. */
bool tsr_heap_next(enum tsr_heap_use use, uint64_t *off, uint64_t *bytes);
/* Frees all blocks of a use; not for segments. */
void tsr_heap_free_all(enum tsr_heap_use use);
#endif
