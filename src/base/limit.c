#include "base/limit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

bool tsr_limit_has_address_space(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

void tsr_limit_raise_descriptors(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static const char *const raise_address_space = "raise the limit of address space (ulimit -v)";

/* Whether the kernel promises no more memory than it has, so that address space counts before it is used. */
static bool is_overcommitment_off(void) {
  char mode = '0';
  int file = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  if (read(file, &mode, 1) != 1) mode = '0';
  close(file);
  return mode == '2';
}

const char *tsr_limit_remedy_addresses(void) {
  if (tsr_limit_has_address_space()) return raise_address_space;
  if (is_overcommitment_off()) return "allow overcommitment (vm.overcommit_memory=0)";
  return "raise the number of mappings (vm.max_map_count)";
}

const char *tsr_limit_remedy_pages(void) {
  if (is_overcommitment_off()) return "free memory, raise vm.overcommit_ratio, or allow overcommitment (vm.overcommit_memory=0)";
  return "free memory of this node, or raise the control group's limit (memory.max)";
}

const char *tsr_limit_remedy(int error) {
  switch (error) {
    case EMFILE: return "raise this process's limit of open files (ulimit -n)";
    case ENFILE: return "raise the system's limit of open files (sysctl fs.file-max)";
    case EFBIG: return "raise the limit of file sizes (ulimit -f)";
    case EAGAIN: return "raise the limit of processes and threads (ulimit -u, or pids.max of the control group)";
    case ENOSYS:
    case EPERM:
    case EACCES: return "the kernel or the container's seccomp profile forbids this system call; allow it there";
    case ENOMEM:
      return tsr_limit_has_address_space() ? raise_address_space
                                           : "free memory, or raise the control group's limit (memory.max)";
    default: return "see the manual page of the system call";
  }
}
