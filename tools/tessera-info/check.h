/* What the files of tessera-info --check share. */
#ifndef TESSERA_INFO_CHECK_H
#define TESSERA_INFO_CHECK_H

#include <stdbool.h>

enum { INFO_VALUE_BYTES = 96 };

/* One result on one node. A note: a change of the system, or of how the job is started, is worthwhile. */
struct finding {
  bool is_note;
  char value[INFO_VALUE_BYTES];
};

__attribute__((format(printf, 3, 4))) void info_found(struct finding *finding, bool is_note, const char *format, ...);

/* To be called before MPI starts. */
void info_find_launcher(void);

/* Each fills the finding of the calling unit's node. */
void info_check_launcher(struct finding *f), info_check_cores(struct finding *f), info_check_binding(struct finding *f);

#endif
