#include "base/source_line.h"

#ifndef TESSERA_HAVE_DW

enum tsr_source_answer tsr_source_describe(const char *path, const char *name, const void *base, uintptr_t address, char *text,
                                           size_t bytes) {
  (void)path, (void)name, (void)base, (void)address, (void)text, (void)bytes;
  return TSR_SOURCE_UNAVAILABLE;
}

#else

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DW_FUNCTIONS(ROW)                                                                                            \
  ROW(dwfl_begin) ROW(dwfl_end) ROW(dwfl_report_begin) ROW(dwfl_report_elf) ROW(dwfl_report_end)                     \
  ROW(dwfl_module_getdwarf) ROW(dwfl_module_addrdie) ROW(dwfl_module_nextcu) ROW(dwfl_module_addrname)               \
  ROW(dwarf_haspc) ROW(dwarf_getsrc_die) ROW(dwarf_linesrc) ROW(dwarf_lineno) ROW(dwarf_getscopes)                   \
  ROW(dwarf_getscopes_die) ROW(dwarf_tag) ROW(dwarf_diename) ROW(dwarf_decl_file) ROW(dwarf_attr)                    \
  ROW(dwarf_formudata) ROW(dwarf_getsrcfiles) ROW(dwarf_filesrc) ROW(dwarf_new_oom_handler)

static struct {
#define ROW(name) __typeof__(name) *name;
  DW_FUNCTIONS(ROW)
#undef ROW
} dw;

static bool open_libdw(void) {
  static enum { NOT_TRIED, ABSENT, OPEN } state;
  if (state != NOT_TRIED) return state == OPEN;
  state = ABSENT;
  void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return false;
#define ROW(name) \
  if (!(*(void **)&dw.name = dlsym(library, #name))) return false;
  DW_FUNCTIONS(ROW)
#undef ROW
  state = OPEN;
  return true;
}

/* ---- The file ---- */

/* Only what the file itself has: the usual search for separate debug information may ask servers. */
static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                             const char *link, GElf_Word crc, char **found) {
  (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
  return -1;
}

static int find_no_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, char **file, Elf **elf) {
  (void)module, (void)data, (void)name, (void)base, (void)file, (void)elf;
  return -1;
}

/* NULL: the file cannot be read. */
static Dwfl_Module *read_file(Dwfl *dwfl, const char *path, const void *base) {
  dw.dwfl_report_begin(dwfl);
  Dwfl_Module *module = dw.dwfl_report_elf(dwfl, path, path, -1, (uintptr_t)base, false);
  dw.dwfl_report_end(dwfl, NULL, NULL);
  return module;
}

/* ---- Functions ---- */

/* Whether this is a function of the interfaces' headers, which is compiled into the program. A function of the program may have
 * such a name, too: it is recognised by its file, which is no header, if `die` is known (not NULL). */
static bool is_header_function(Dwarf_Die *die, const char *function) {
  static const char *const begins[] = {"tsr_", "tessera_", "dart_", "ARMCI_", "armci_", "gex_", "gexi_", "gasnet", "shmem",
                                       "pshmem"};
  const char *file = die ? dw.dwarf_decl_file(die) : NULL;
  size_t length = file ? strlen(file) : 0;
  if (length > 2 && strcmp(file + length - 2, ".h") != 0) return false;
  if (strncmp(function, "_Z", 2) == 0) function += 2 + strspn(function + 2, "LN0123456789"); /* C++ */
  for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
    if (strncmp(function, begins[i], strlen(begins[i])) == 0) return true;
  }
  return false;
}

/* NULLs: not known. */
struct source_place {
  const char *file, *function;
  int line;
  bool is_in_header;
};

static bool read_number(Dwarf_Die *die, unsigned name, Dwarf_Word *number) {
  Dwarf_Attribute attribute;
  return dw.dwarf_attr(die, name, &attribute) && dw.dwarf_formudata(&attribute, number) == 0;
}

/* Sets `place` to the line that calls the inlined function. */
static void go_to_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct source_place *place) {
  Dwarf_Word file, line;
  Dwarf_Files *files;
  size_t files_n;
  if (!read_number(inlined, DW_AT_call_file, &file) || !read_number(inlined, DW_AT_call_line, &line) ||
      dw.dwarf_getsrcfiles(unit, &files, &files_n) != 0 || file >= files_n)
    return;
  place->file = dw.dwarf_filesrc(files, file, NULL, NULL);
  place->line = (int)line;
}

/* The scopes that hold the address, from the innermost on, with the calls of inlined functions; the caller frees them.
 * dwarf_getscopes alone would continue from an inlined function to the place of its definition. */
static int find_scopes(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes) {
  Dwarf_Die *innermost = NULL;
  int n = dw.dwarf_getscopes(unit, address, &innermost);
  if (n > 0) n = dw.dwarf_getscopes_die(innermost, scopes);
  free(innermost);
  return n;
}

static void find_function(Dwarf_Die *unit, Dwarf_Addr address, struct source_place *place) {
  Dwarf_Die *scopes = NULL;
  int scopes_n = find_scopes(unit, address, &scopes);
  for (int i = 0; i < scopes_n; i++) {
    int tag = dw.dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    place->function = dw.dwarf_diename(&scopes[i]);
    place->is_in_header = place->function && is_header_function(&scopes[i], place->function);
    if (tag == DW_TAG_subprogram || !place->is_in_header) break;
    go_to_call(unit, &scopes[i], place);
  }
  free(scopes);
}

/* ---- Lines ---- */

/* The compilation unit of an address; NULL: none has it. Not all compilers write the table by which libdw finds that unit. */
static Dwarf_Die *find_unit(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias) {
  Dwarf_Die *unit = dw.dwfl_module_addrdie(module, address, bias);
  if (unit) return unit;
  while ((unit = dw.dwfl_module_nextcu(module, unit, bias)) && dw.dwarf_haspc(unit, address - *bias) != 1) continue;
  return unit;
}

static struct source_place find_place(Dwfl_Module *module, Dwarf_Addr address) {
  struct source_place place = {0};
  Dwarf_Addr bias = 0;
  Dwarf_Die *unit = find_unit(module, address, &bias);
  Dwarf_Line *line = unit ? dw.dwarf_getsrc_die(unit, address - bias) : NULL;
  if (line && dw.dwarf_lineno(line, &place.line) == 0) place.file = dw.dwarf_linesrc(line, NULL, NULL);
  if (unit) find_function(unit, address - bias, &place);
  if (place.function) return place;
  place.function = dw.dwfl_module_addrname(module, address);
  place.is_in_header = place.function && is_header_function(NULL, place.function);
  return place;
}

static enum tsr_source_answer print_place(const struct source_place *place, const char *name, char *text, size_t bytes) {
  const char *function = place->function;
  if (place->is_in_header) return TSR_SOURCE_UNKNOWN;
  if (place->file && place->line > 0) {
    snprintf(text, bytes, "at %s:%d%s%s", place->file, place->line, function ? " in " : "", function ? function : "");
    return TSR_SOURCE_LINE;
  }
  if (!function) return TSR_SOURCE_UNKNOWN;
  snprintf(text, bytes, "in %s of %s", function, name);
  return TSR_SOURCE_FUNCTION;
}

/* libdw ends the process when it gets no memory, unless a handler is set. */
static jmp_buf out_of_memory;
__attribute__((noreturn)) static void on_no_memory(void) { longjmp(out_of_memory, 1); }

static enum tsr_source_answer describe_in(Dwfl_Module *module, const char *name, Dwarf_Addr address, char *text, size_t bytes) {
  Dwarf_Addr bias;
  Dwarf *debug = dw.dwfl_module_getdwarf(module, &bias);
  if (setjmp(out_of_memory)) return TSR_SOURCE_UNAVAILABLE;
  if (debug) dw.dwarf_new_oom_handler(debug, on_no_memory);
  struct source_place place = find_place(module, address);
  return print_place(&place, name, text, bytes);
}

enum tsr_source_answer tsr_source_describe(const char *path, const char *name, const void *base, uintptr_t address, char *text,
                                           size_t bytes) {
  static const Dwfl_Callbacks callbacks = {.find_elf = find_no_elf, .find_debuginfo = find_no_debuginfo};
  Dwfl *dwfl = open_libdw() ? dw.dwfl_begin(&callbacks) : NULL;
  if (!dwfl) return TSR_SOURCE_UNAVAILABLE;
  Dwfl_Module *module = read_file(dwfl, path, base);
  enum tsr_source_answer answer = module ? describe_in(module, name, address, text, bytes) : TSR_SOURCE_UNAVAILABLE;
  dw.dwfl_end(dwfl);
  return answer;
}

#endif
