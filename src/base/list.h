/* Doubly linked lists through a link inside each element. Nothing is allocated; nothing is locked. */
#ifndef TSR_BASE_LIST_H
#define TSR_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Both the list itself, a ring through its head, and the link in an element. */
typedef struct tsr_link {
  struct tsr_link *next, *prev;
} tsr_link;

/* The element that holds this link. */
#define TSR_ELEMENT(link, type, member) ((type *)(void *)((char *)(link) - offsetof(type, member)))

/* From the first to the last; the loop may remove `link`, and no other. */
#define TSR_EACH(link, list) \
  for (tsr_link *link = (list)->next, *after_ = link->next; link != (list); link = after_, after_ = link->next)

static inline void tsr_list_init(tsr_link *list) { list->next = list->prev = list; }
static inline bool tsr_list_is_empty(const tsr_link *list) { return list->next == list; }

/* Before an element; at the end when `place` is the list itself. */
static inline void tsr_list_insert(tsr_link *place, tsr_link *link) {
  link->next = place;
  link->prev = place->prev;
  place->prev->next = link;
  place->prev = link;
}

static inline void tsr_list_remove(tsr_link *link) {
  link->prev->next = link->next;
  link->next->prev = link->prev;
}

/* Takes out the first; NULL: empty. */
static inline tsr_link *tsr_list_take(tsr_link *list) {
  tsr_link *first = list->next;
  if (first == list) return NULL;
  tsr_list_remove(first);
  return first;
}

#endif
