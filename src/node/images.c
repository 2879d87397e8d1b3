#include "node/images.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/hash.h"

/* ---- what is loaded ---- */

struct range {
  uintptr_t begin, end;
};
static bool range_holds(struct range range, const void *address) {
  return (uintptr_t)address >= range.begin && (uintptr_t)address < range.end;
}

/* A writable segment, in whole pages. */
struct segment {
  struct range range;
  uintptr_t filled_end; /* of what comes from the file */
};

/* An executable or library in this process. Most have one writable segment; -mcmodel=medium makes one more for large variables. */
enum { SEGMENTS_N = 16 };
struct object {
  const char *path;
  const ElfW(Dyn) *dynamic; /* NULL: it needs no libraries */
  uintptr_t base;
  const char *strings, *soname;
  struct range all, thread_local_;
  struct segment segments[SEGMENTS_N];
  size_t segments_n;
  uint64_t id;     /* hash of the build id; 0: it has none */
  uint64_t layout; /* hash of its program headers, which tells objects without a build id apart */
  bool is_needed;  /* by the program; the program itself is */
  bool is_foreign; /* needed by Tessera or the MPI, or one of them */
};

struct objects {
  struct object *list;
  size_t n, room;
};

static uintptr_t page_bytes(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }
static uintptr_t page_down(uintptr_t at) { return at & ~(page_bytes() - 1); }
static uintptr_t page_up(uintptr_t at) { return page_down(at + page_bytes() - 1); }

/* The hash of the build id in the notes at [at, at + bytes); 0: there is none. */
static uint64_t find_build_id(const char *at, size_t bytes, size_t align) {
  const char *end = at + bytes;
  if (align < sizeof(uint32_t)) align = sizeof(uint32_t);
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    const ElfW(Nhdr) *note = (const void *)at;
    const char *name = at + sizeof *note, *content = name + tsr_round_up(note->n_namesz, align);
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" && !memcmp(name, "GNU", sizeof "GNU"))
      return tsr_hash_bytes(TSR_HASH_NOTHING, content, note->n_descsz);
    at = content + tsr_round_up(note->n_descsz, align);
  }
  return 0;
}

/* Some C libraries relocate the addresses in the dynamic section, others do not. */
static const char *relocated_address(const struct object *object, uintptr_t at) {
  return (const char *)(at < object->base ? object->base + at : at);
}

static void read_dynamic(struct object *object) {
  const ElfW(Dyn) *entry, *soname = NULL;
  for (entry = object->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_STRTAB) object->strings = relocated_address(object, entry->d_un.d_ptr);
    if (entry->d_tag == DT_SONAME) soname = entry;
  }
  const char *slash = strrchr(object->path, '/');
  object->soname = soname && object->strings ? object->strings + soname->d_un.d_val : slash ? slash + 1 : object->path;
}

static void add_segment(struct object *object, struct range range, uintptr_t filled_end) {
  if (object->segments_n == SEGMENTS_N) return;
  object->segments[object->segments_n++] = (struct segment){{page_down(range.begin), page_up(range.end)}, page_up(filled_end)};
}

/* Leaves out the pages that the dynamic linker has made read-only, at the beginning of a segment: all whole pages of `relro`. */
static void cut_segments(struct object *object, struct range relro) {
  const uintptr_t end = page_down(relro.end);
  size_t kept = 0;
  for (size_t i = 0; i < object->segments_n; i++) {
    struct segment segment = object->segments[i];
    if (relro.begin < segment.range.end && end > segment.range.begin) segment.range.begin = end;
    if (segment.range.begin < segment.range.end) object->segments[kept++] = segment;
  }
  object->segments_n = kept;
}

static void read_segments(struct object *object, const struct dl_phdr_info *info) {
  struct range relro = {0, 0};
  object->layout = tsr_hash_bytes(TSR_HASH_NOTHING, info->dlpi_phdr, (size_t)info->dlpi_phnum * sizeof *info->dlpi_phdr);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + header->p_vaddr, end = begin + header->p_memsz;
    if (header->p_type == PT_LOAD && !object->all.end) object->all.begin = begin;
    if (header->p_type == PT_LOAD) object->all.end = end;
    if (header->p_type == PT_LOAD && header->p_flags & PF_W)
      add_segment(object, (struct range){begin, end}, begin + header->p_filesz);
    if (header->p_type == PT_GNU_RELRO) relro = (struct range){begin, end};
    if (header->p_type == PT_DYNAMIC) object->dynamic = (const void *)begin;
    if (header->p_type == PT_NOTE && !object->id) object->id = find_build_id((const char *)begin, header->p_memsz, header->p_align);
    if (header->p_type == PT_TLS && info->dlpi_tls_data)
      object->thread_local_ = (struct range){(uintptr_t)info->dlpi_tls_data, (uintptr_t)info->dlpi_tls_data + header->p_memsz};
  }
  cut_segments(object, relro);
}

static int add_object(struct dl_phdr_info *info, size_t size, void *arg) {
  struct objects *all = arg;
  (void)size;
  if (all->n == all->room) {
    const size_t room = 2 * all->room + 16;
    struct object *list = realloc(all->list, room * sizeof *list);
    if (!list) return 1;
    all->list = list;
    all->room = room;
  }
  struct object *object = &all->list[all->n++];
  *object = (struct object){.path = info->dlpi_name ? info->dlpi_name : "", .base = info->dlpi_addr};
  read_segments(object, info);
  read_dynamic(object);
  return 0;
}

/* ---- which of them count ---- */

enum flag { NEEDED, FOREIGN };

/* Marks an object, and all that it needs. */
static void mark_object(const struct objects *all, struct object *object, enum flag flag) {
  const ElfW(Dyn) *entry;
  bool *marked = flag == NEEDED ? &object->is_needed : &object->is_foreign;
  if (*marked) return;
  *marked = true;
  for (entry = object->strings ? object->dynamic : NULL; entry && entry->d_tag != DT_NULL; entry++)
    for (size_t i = 1; entry->d_tag == DT_NEEDED && i < all->n; i++)
      if (!strcmp(object->strings + entry->d_un.d_val, all->list[i].soname)) mark_object(all, &all->list[i], flag);
}

/* The program is the first object. It is not compared with the marks: it holds them itself if it was linked statically. */
static tessera_status_t find_objects(struct tsr_image_marks marks, struct objects *all) {
  *all = (struct objects){0};
  if (dl_iterate_phdr(add_object, all)) {
    free(all->list);
    return TESSERA_ERR_MEMORY;
  }
  mark_object(all, &all->list[0], NEEDED);
  for (size_t i = 1; i < all->n; i++)
    for (size_t k = 0; k < marks.n; k++)
      if (range_holds(all->list[i].all, marks.list[k])) mark_object(all, &all->list[i], FOREIGN);
  return TESSERA_OK;
}

static bool is_of_system(const struct object *object) {
  return !strncmp(object->path, "/lib", 4) || !strncmp(object->path, "/usr/lib", 8);
}

static bool is_counted(const struct object *object) { return object->is_needed && !object->is_foreign && !is_of_system(object); }

static int64_t key_of(const struct object *object, size_t segment, bool is_program) {
  const struct range range = object->segments[segment].range;
  uint64_t id = object->id;
  if (!id) id = object->layout;
  if (!object->id && !is_program) id = tsr_hash_add(id, tsr_hash_bytes(TSR_HASH_NOTHING, object->soname, strlen(object->soname)));
  id = tsr_hash_add(tsr_hash_add(tsr_hash_add(id, range.end - range.begin), is_program), segment);
  return (int64_t)(id >> 1) + !(id >> 1);
}

static struct tsr_image image_of(const struct object *object, size_t segment, bool is_program) {
  const struct segment *s = &object->segments[segment];
  const size_t bytes = s->range.end - s->range.begin;
  const size_t filled = s->filled_end > s->range.begin ? s->filled_end - s->range.begin : 0;
  return (struct tsr_image){.begin = (char *)s->range.begin, .bytes = bytes, .filled = filled < bytes ? filled : bytes,
                            .key = key_of(object, segment, is_program), .is_program = is_program, .is_first = segment == 0};
}

tessera_status_t tsr_images_find(struct tsr_image_marks marks, struct tsr_image **list, size_t *n) {
  struct objects all;
  tessera_status_t status = find_objects(marks, &all);
  if (status) return status;
  struct tsr_image *images = malloc(all.n * SEGMENTS_N * sizeof *images);
  *n = 0;
  for (size_t i = 0; images && i < all.n; i++) {
    const struct object *object = &all.list[i];
    for (size_t k = 0; k < object->segments_n && is_counted(object); k++) images[(*n)++] = image_of(object, k, i == 0);
  }
  free(all.list);
  *list = images;
  return images ? TESSERA_OK : TESSERA_ERR_MEMORY;
}

static bool is_writable(const struct object *object, const void *address) {
  for (size_t i = 0; i < object->segments_n; i++)
    if (range_holds(object->segments[i].range, address)) return true;
  return false;
}

static enum tsr_image_kind classify_in(const struct object *object, const void *address) {
  if (range_holds(object->thread_local_, address)) return TSR_IMAGE_THREAD_LOCAL;
  if (!is_writable(object, address)) return TSR_IMAGE_NONE;
  if (object->is_foreign || (object->is_needed && is_of_system(object))) return TSR_IMAGE_FOREIGN;
  return object->is_needed ? TSR_IMAGE_OWN : TSR_IMAGE_LATER;
}

enum tsr_image_kind tsr_images_classify(struct tsr_image_marks marks, const void *address, char name[], size_t name_bytes) {
  struct objects all;
  enum tsr_image_kind kind = TSR_IMAGE_NONE;
  if (find_objects(marks, &all)) return kind;
  for (size_t i = 0; i < all.n && kind == TSR_IMAGE_NONE; i++) {
    kind = classify_in(&all.list[i], address);
    snprintf(name, name_bytes, "%s", i == 0 ? "the program" : all.list[i].path);
  }
  free(all.list);
  return kind;
}
