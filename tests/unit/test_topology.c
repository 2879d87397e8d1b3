#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "node/topology.h"
#include "node/topology_parse.h"
#include "unit/false_root.h"

enum { MIB = 1 << 20 };

static void put_number(const char *directory, const char *name, unsigned long long number) {
  char path[PATH_MAX], text[64];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  snprintf(text, sizeof text, "%llu\n", number);
  put_file(path, text);
}

/* 100 GiB of memory, of which 64 GiB are available. */
static void put_meminfo(void) {
  put_file("/proc/meminfo", "MemTotal:       104857600 kB\nMemFree:         1000 kB\nMemAvailable:   67108864 kB\n");
}
#define AVAILABLE ((size_t)64 << 30)

static void put_v1_group(const char *directory, uint64_t limit, uint64_t usage, uint64_t inactive) {
  char path[PATH_MAX], text[256];
  put_number(directory, "memory.limit_in_bytes", limit);
  put_number(directory, "memory.usage_in_bytes", usage);
  snprintf(path, sizeof path, "%s/memory.stat", directory);
  snprintf(text, sizeof text, "cache 77\ninactive_file 5\ntotal_cache 99\ntotal_inactive_file %llu\n",
           (unsigned long long)inactive);
  put_file(path, text);
}

static void put_v2_group(const char *directory, const char *limit, uint64_t usage, uint64_t inactive) {
  char path[PATH_MAX], text[256];
  snprintf(path, sizeof path, "%s/memory.max", directory);
  put_file(path, limit);
  put_number(directory, "memory.current", usage);
  snprintf(path, sizeof path, "%s/memory.stat", directory);
  snprintf(text, sizeof text, "anon 3\nfile 12\nslab_inactive_file 9\ninactive_file %llu\n",
           (unsigned long long)inactive);
  put_file(path, text);
}

#define MOUNT_V1 "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:4 - cgroup cgroup rw,memory\n"
#define MOUNT_V2 "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n"
#define MOUNT_OTHER "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n" \
                    "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"

static void no_limit_leaves_what_the_kernel_says(void **state) {
  (void)state;
  assert_int_equal(tsr_topology_memory_total_in(root), 0);
  assert_int_equal(tsr_topology_memory_available_in(root), 0);
  put_meminfo();
  assert_int_equal(tsr_topology_memory_total_in(root), (size_t)100 << 30);
  assert_int_equal(tsr_topology_memory_available_in(root), AVAILABLE);
  put_file("/proc/self/cgroup", "9:name=systemd:/\n4:memory:/\n0::/\n");
  assert_int_equal(tsr_topology_memory_available_in(root), AVAILABLE);
  put_file("/proc/self/mountinfo", MOUNT_OTHER MOUNT_V1 MOUNT_V2);
  assert_int_equal(tsr_topology_memory_available_in(root), AVAILABLE);
  put_v1_group("/sys/fs/cgroup/memory", 9223372036854771712u, 100 * MIB, 0);
  put_v2_group("/sys/fs/cgroup", "max\n", 100 * MIB, 0);
  assert_int_equal(tsr_topology_memory_available_in(root), AVAILABLE);
  assert_false(tsr_topology_memory_is_grouped_in(root));
}

static void version_1_limits_of_every_ancestor_count(void **state) {
  (void)state;
  put_meminfo();
  put_file("/proc/self/cgroup", "5:cpu,cpuacct:/other\n4:hugetlb,memory:/job/step\n0::/\n");
  put_file("/proc/self/mountinfo", MOUNT_OTHER MOUNT_V1);
  put_v1_group("/sys/fs/cgroup/memory", 9223372036854771712u, 1000 * MIB, 0);
  put_v1_group("/sys/fs/cgroup/memory/job", 900 * MIB, 500 * MIB, 20 * MIB);
  put_v1_group("/sys/fs/cgroup/memory/job/step", 800 * MIB, 300 * MIB, 50 * MIB);
  put_v1_group("/sys/fs/cgroup/memory/other", MIB, 0, 0); /* not ours */
  assert_int_equal(tsr_topology_memory_available_in(root), 420 * MIB); /* of the parent */
  assert_true(tsr_topology_memory_is_grouped_in(root));
  put_v1_group("/sys/fs/cgroup/memory/job/step", 400 * MIB, 300 * MIB, 50 * MIB);
  assert_int_equal(tsr_topology_memory_available_in(root), 150 * MIB); /* own */
  put_v1_group("/sys/fs/cgroup/memory", 1010 * MIB, 1000 * MIB, 0);
  assert_int_equal(tsr_topology_memory_available_in(root), 10 * MIB); /* the root's */
  put_v1_group("/sys/fs/cgroup/memory", 990 * MIB, 1000 * MIB, 5 * MIB);
  assert_int_equal(tsr_topology_memory_available_in(root), 0); /* over the limit */
}

static void version_2_limits_of_every_ancestor_count(void **state) {
  (void)state;
  put_meminfo();
  put_file("/proc/self/cgroup", "0::/user.slice/job\n");
  put_file("/proc/self/mountinfo", MOUNT_OTHER MOUNT_V2);
  put_v2_group("/sys/fs/cgroup/user.slice/job", "max\n", 10 * MIB, 0);
  put_v2_group("/sys/fs/cgroup/user.slice", "314572800\n", 100 * MIB, 30 * MIB); /* 300 MiB */
  assert_int_equal(tsr_topology_memory_available_in(root), 230 * MIB);
  put_v2_group("/sys/fs/cgroup/user.slice/job", "16777216\n", 10 * MIB, 11 * MIB);
  assert_int_equal(tsr_topology_memory_available_in(root), 16 * MIB); /* never more than the limit */
  assert_true(tsr_topology_memory_is_grouped_in(root));
}

static void both_versions_count_together(void **state) {
  (void)state;
  put_meminfo();
  put_file("/proc/self/cgroup", "4:memory:/a\n0::/b\n");
  put_file("/proc/self/mountinfo", MOUNT_V1 "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  put_v1_group("/sys/fs/cgroup/memory/a", 700 * MIB, 0, 0);
  put_v2_group("/sys/fs/cgroup/unified/b", "524288000\n", 0, 0);
  assert_int_equal(tsr_topology_memory_available_in(root), 500 * MIB);
  put_v1_group("/sys/fs/cgroup/memory/a", 400 * MIB, 0, 0);
  assert_int_equal(tsr_topology_memory_available_in(root), 400 * MIB);
}

/* A container sees its own group mounted, at the path that the host knows or at that of a namespace. */
static void containers_are_understood(void **state) {
  (void)state;
  put_meminfo();
  put_v1_group("/sys/fs/cgroup/memory", 300 * MIB, 100 * MIB, 0);
  put_v1_group("/sys/fs/cgroup/memory/inner", 150 * MIB, 50 * MIB, 0);
  put_file("/proc/self/mountinfo", "35 31 0:32 /docker/c0ffee /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  put_file("/proc/self/cgroup", "4:memory:/docker/c0ffee/inner\n");
  assert_int_equal(tsr_topology_memory_available_in(root), 100 * MIB);
  put_file("/proc/self/cgroup", "4:memory:/docker/c0ffee\n");
  assert_int_equal(tsr_topology_memory_available_in(root), 200 * MIB);
  put_file("/proc/self/cgroup", "4:memory:/docker/c0ffee1/inner\n"); /* a sibling with a longer name */
  assert_int_equal(tsr_topology_memory_available_in(root), 200 * MIB);
  put_file("/proc/self/mountinfo", MOUNT_V1);
  put_file("/proc/self/cgroup", "4:memory:/../../elsewhere\n");
  assert_int_equal(tsr_topology_memory_available_in(root), 200 * MIB);
  put_v1_group("/odd place", 77 * MIB, 0, 0);
  put_file("/proc/self/mountinfo", "35 31 0:32 / /odd\\040place rw - cgroup cgroup rw,memory\n" MOUNT_V1);
  put_file("/proc/self/cgroup", "4:memory:/\n");
  assert_int_equal(tsr_topology_memory_available_in(root), 77 * MIB);
}

static void mount_that_shows_our_group_is_preferred(void **state) {
  (void)state;
  put_meminfo();
  put_v1_group("/mnt/part", 10 * MIB, 0, 0);
  put_v1_group("/sys/fs/cgroup/memory/job", 20 * MIB, 0, 0);
  put_file("/proc/self/mountinfo", "35 31 0:32 /foreign /mnt/part rw - cgroup cgroup rw,memory\n" MOUNT_V1);
  put_file("/proc/self/cgroup", "4:memory:/job\n");
  assert_int_equal(tsr_topology_memory_available_in(root), 20 * MIB);
}

static void kills_are_counted_where_the_kernel_does(void **state) {
  (void)state;
  assert_int_equal(tsr_topology_oom_kills_in(root), -1);
  put_file("/proc/vmstat", "nr_free_pages 6\noom_kill 3\noom_kill_other 9\n");
  assert_int_equal(tsr_topology_oom_kills_in(root), 3);
  put_file("/proc/self/cgroup", "4:memory:/job\n0::/job\n");
  put_file("/proc/self/mountinfo", MOUNT_V1 MOUNT_V2);
  assert_int_equal(tsr_topology_oom_kills_in(root), 3);
  put_file("/sys/fs/cgroup/memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
  assert_int_equal(tsr_topology_oom_kills_in(root), 5);
  put_file("/sys/fs/cgroup/job/memory.events", "low 0\nhigh 0\nmax 4\noom 8\noom_kill 7\noom_group_kill 2\n");
  assert_int_equal(tsr_topology_oom_kills_in(root), 7);
}

static void the_memory_of_this_host_is_known(void **state) {
  (void)state;
  size_t total = tsr_topology_memory_total(), available = tsr_topology_memory_available();
  assert_true(total > 16 * MIB);
  assert_true(available > 0 && available <= total);
  assert_true(tsr_topology_oom_kills() >= -1);
}

/* Changes the affinity of a separate thread, so that the other tests keep theirs. */
static void *add_one_by_one(void *arg) {
  struct tsr_cpu_set *set = arg;
  cpu_set_t own, one;
  if (sched_getaffinity(0, sizeof own, &own)) return "sched_getaffinity";
  int seen = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (!CPU_ISSET(cpu, &own)) continue;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one)) return "sched_setaffinity";
    tsr_topology_add_own_cpus(set);
    if (tsr_topology_count(set) != ++seen) return "a CPU was not added, or more than one";
    if (!(set->word[cpu / 64] >> cpu % 64 & 1)) return "the wrong CPU was added";
    tsr_topology_add_own_cpus(set);
    if (tsr_topology_count(set) != seen) return "a CPU was counted twice";
  }
  return seen == CPU_COUNT(&own) ? NULL : "not all CPUs were added";
}

static void cpus_are_a_union(void **state) {
  (void)state;
  static struct tsr_cpu_set set;
  assert_int_equal(tsr_topology_count(&set), 0);
  pthread_t thread;
  void *complaint = "";
  assert_int_equal(pthread_create(&thread, NULL, add_one_by_one, &set), 0);
  assert_int_equal(pthread_join(thread, &complaint), 0);
  if (complaint) fail_msg("%s", (const char *)complaint);
  int all = tsr_topology_count(&set);
  tsr_topology_add_own_cpus(&set);
  assert_int_equal(tsr_topology_count(&set), all);
}

#define ROOT_TEST(test) cmocka_unit_test_setup_teardown(test, make_root, drop_root)

int main(void) {
  const struct CMUnitTest tests[] = {
      ROOT_TEST(no_limit_leaves_what_the_kernel_says),
      ROOT_TEST(version_1_limits_of_every_ancestor_count),
      ROOT_TEST(version_2_limits_of_every_ancestor_count),
      ROOT_TEST(both_versions_count_together),
      ROOT_TEST(containers_are_understood),
      ROOT_TEST(mount_that_shows_our_group_is_preferred),
      ROOT_TEST(kills_are_counted_where_the_kernel_does),
      cmocka_unit_test(the_memory_of_this_host_is_known),
      cmocka_unit_test(cpus_are_a_union),
  };
  return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
