/* The table of processors, from a false /sys and from the real one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sched.h>
#include <unistd.h>

#include "node/machine.h"
#include "unit/false_root.h"

static struct tsr_machine machine;
static struct tsr_cpu cpus[TSR_CPUS_MAX];

static void put(const char *text, const char *format, ...) {
  char path[PATH_MAX];
  va_list list;
  va_start(list, format);
  vsnprintf(path, sizeof path, format, list);
  va_end(list);
  put_file(path, text);
}

static void put_cache(int cpu, int index, const char *level, const char *type, const char *size, const char *shared) {
  put(level, "/sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, index);
  put(type, "/sys/devices/system/cpu/cpu%d/cache/index%d/type", cpu, index);
  put(size, "/sys/devices/system/cpu/cpu%d/cache/index%d/size", cpu, index);
  put(shared, "/sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index);
  put("64\n", "/sys/devices/system/cpu/cpu%d/cache/index%d/coherency_line_size", cpu, index);
}

static void put_cpu(int cpu, const char *threads, const char *package, const char *l3) {
  put(threads, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
  put(package, "/sys/devices/system/cpu/cpu%d/topology/core_siblings_list", cpu);
  put_cache(cpu, 0, "1\n", "Data\n", "48K\n", threads);
  put_cache(cpu, 1, "1\n", "Instruction\n", "32K\n", threads);
  put_cache(cpu, 2, "2\n", "Unified\n", "2048K\n", threads);
  put_cache(cpu, 3, "3\n", "Unified\n", "107520K\n", l3);
}

/* Two packages of two cores of two threads, numbered as Linux does: all first threads, then all second ones. CPU 8 is
 * off. The second package has NUMA node 2; there is no node 1. */
static void put_machine(void) {
  for (int cpu = 0; cpu < 8; cpu++) {
    char threads[16];
    snprintf(threads, sizeof threads, "%d,%d\n", cpu % 4, cpu % 4 + 4);
    bool first = cpu % 4 < 2;
    put_cpu(cpu, threads, first ? "0-1,4-5\n" : "2-3,6-7\n", first ? "0-1,4-5\n" : "2-3,6-7\n");
  }
  put("0\n", "/sys/devices/system/cpu/cpu8/online");
  put("0-7\n", "/sys/devices/system/cpu/online");
  put("0,2\n", "/sys/devices/system/node/online");
  put("0-1,4-5\n", "/sys/devices/system/node/node0/cpulist");
  put("2-3,6-7\n", "/sys/devices/system/node/node2/cpulist");
  put("Node 0 MemTotal:       2097152 kB\nNode 0 MemFree: 1 kB\n", "/sys/devices/system/node/node0/meminfo");
  put("Node 2 MemTotal:       1048576 kB\n", "/sys/devices/system/node/node2/meminfo");
  put("800000\n", "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq");
  put("3600000\n", "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  put("MemTotal:        3145728 kB\nMemFree: 9 kB\n", "/proc/meminfo");
}

static void groups_are_numbered_in_order(void **state) {
  (void)state;
  put_machine();
  tsr_machine_read_system(root, &machine, cpus);
  assert_int_equal(machine.cpus_n, 8);
  assert_int_equal(machine.cores_n, 4);
  assert_int_equal(machine.packages_n, 2);
  assert_int_equal(machine.numa_n, 2);
  for (int i = 0; i < 8; i++) {
    assert_int_equal(cpus[i].os, i);
    assert_int_equal(cpus[i].core, i % 4);
    assert_int_equal(cpus[i].package, i % 4 / 2);
    assert_int_equal(cpus[i].numa, i % 4 / 2);
    assert_int_equal(cpus[i].cache[0], i % 4);
    assert_int_equal(cpus[i].cache[1], i % 4);
    assert_int_equal(cpus[i].cache[2], i % 4 / 2);
    assert_int_equal(cpus[i].cache[3], -1);
  }
}

static void sizes_are_in_their_units(void **state) {
  (void)state;
  put_machine();
  tsr_machine_read_system(root, &machine, cpus);
  assert_int_equal(machine.cache_bytes[0], 48 << 10);
  assert_int_equal(machine.cache_bytes[1], 2 << 20);
  assert_int_equal(machine.cache_bytes[2], 105 << 20);
  assert_int_equal(machine.cache_bytes[3], -1);
  assert_int_equal(machine.line_bytes[2], 64);
  assert_int_equal(machine.line_bytes[3], -1);
  assert_int_equal(machine.mhz_min, 800);
  assert_int_equal(machine.mhz_max, 3600);
  assert_int_equal(machine.memory_mib, 3072);
  assert_int_equal(machine.numa_mib[0], 2048);
  assert_int_equal(machine.numa_mib[1], 1024);
  assert_int_equal(machine.numa_mib[2], -1);
}

static void a_silent_system_is_one_cpu(void **state) {
  (void)state;
  tsr_machine_read_system(root, &machine, cpus);
  assert_int_equal(machine.cpus_n, 1);
  assert_int_equal(machine.cores_n, 1);
  assert_int_equal(machine.packages_n, 1);
  assert_int_equal(machine.numa_n, 1);
  assert_int_equal(cpus[0].core, 0);
  assert_int_equal(cpus[0].package, 0);
  assert_int_equal(cpus[0].numa, 0);
  assert_int_equal(cpus[0].cache[0], -1);
  assert_int_equal(machine.mhz_max, -1);
  assert_int_equal(machine.memory_mib, -1);
}

static void damaged_files_are_survived(void **state) {
  (void)state;
  put_machine();
  put("nonsense\n", "/sys/devices/system/cpu/cpu1/topology/thread_siblings_list");
  put("", "/sys/devices/system/cpu/cpu2/topology/core_siblings_list");
  put("77\n", "/sys/devices/system/cpu/cpu3/cache/index2/level");
  put("-\n", "/sys/devices/system/node/node0/cpulist");
  tsr_machine_read_system(root, &machine, cpus);
  assert_int_equal(machine.cpus_n, 7);
  for (int i = 0; i < machine.cpus_n; i++) {
    assert_in_range(cpus[i].core, 0, machine.cores_n - 1);
    assert_in_range(cpus[i].package, 0, machine.packages_n - 1);
    assert_in_range(cpus[i].numa, 0, machine.numa_n - 1);
  }
}

static void a_fixed_clock_stands_in_cpuinfo(void **state) {
  (void)state;
  put("processor\t: 0\ncpu MHz\t\t: 2099.998\ncache size\t: 1 KB\n", "/proc/cpuinfo");
  tsr_machine_read_system(root, &machine, cpus);
  assert_int_equal(machine.mhz_min, 2099);
  assert_int_equal(machine.mhz_max, 2099);
}

static void a_table_is_printed(void **state) {
  (void)state;
  char text[256], cut[12];
  put_machine();
  tsr_machine_read_system(root, &machine, cpus);
  tsr_machine_print(&machine, text, sizeof text);
  assert_string_equal(text, "2 packages, 4 cores, 8 CPUs, 2 NUMA nodes, L1 48 KiB, L2 2 MiB, L3 105 MiB");
  tsr_machine_print(&machine, cut, sizeof cut);
  assert_string_equal(cut, "2 packages,");
}

/* Both sources describe this host in the same way, up to the order of numbers. */
static void both_sources_agree(void **state) {
  (void)state;
  static struct tsr_machine other;
  static struct tsr_cpu other_cpus[TSR_CPUS_MAX];
  char host[256] = "";
  tsr_machine_read(TSR_MACHINE_AUTO, &machine, cpus);
  tsr_machine_read(TSR_MACHINE_SYSTEM, &other, other_cpus);
  gethostname(host, sizeof host - 1);
  assert_int_equal(strncmp(machine.host, host, sizeof machine.host - 1), 0);
  assert_string_equal(machine.host, other.host);
  assert_int_equal(machine.cpus_n, other.cpus_n);
  assert_int_equal(machine.cores_n, other.cores_n);
  assert_int_equal(machine.packages_n, other.packages_n);
  assert_int_equal(machine.memory_mib, other.memory_mib);
  for (int i = 0; i < machine.cpus_n; i++) {
    int j = 0;
    while (j < other.cpus_n && other_cpus[j].os != cpus[i].os) j++;
    assert_in_range(j, 0, other.cpus_n - 1);
    assert_in_range(cpus[i].core, 0, machine.cores_n - 1);
    assert_in_range(other_cpus[j].core, 0, machine.cores_n - 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(groups_are_numbered_in_order, make_root, drop_root),
    cmocka_unit_test_setup_teardown(sizes_are_in_their_units, make_root, drop_root),
    cmocka_unit_test_setup_teardown(a_silent_system_is_one_cpu, make_root, drop_root),
    cmocka_unit_test_setup_teardown(damaged_files_are_survived, make_root, drop_root),
    cmocka_unit_test_setup_teardown(a_fixed_clock_stands_in_cpuinfo, make_root, drop_root),
    cmocka_unit_test_setup_teardown(a_table_is_printed, make_root, drop_root),
    cmocka_unit_test(both_sources_agree),
  };
  return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
