/* tessera-info: prints the version of Tessera, the hardware of this host, and every variable that it reads. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera.h>

#include "base/config.h"
#include "core/footprint.h"
#include "net/start.h"
#include "node/machine.h"
#include "node/memory.h"
#include "node/topology.h"
#include "vis/layout.h"

/* Unit and team numbers have 16 bits in a global pointer. */
static const struct {
  const char *key, *text;
  int value;
} limits[] = {
  {"teams", "teams at the same time", INT16_MAX},
  {"segments_per_team", "allocations of one team at the same time", INT16_MAX},
  {"units_per_node", "units on one node", TSR_NODE_UNITS_MAX},
  {"layout_dims", "dimensions of a strided transfer", TSR_LAYOUT_DIMS},
};
enum { LIMITS_N = sizeof limits / sizeof *limits };

/* The first line of MPI's version text, which is available before MPI is started. */
static const char *mpi_version(void) {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING + 1];
  int length = 0;
  MPI_Get_library_version(text, &length);
  text[strcspn(text, "\n")] = '\0';
  for (char *c = text; *c; c++) {
    if ((unsigned char)*c < ' ') *c = ' ';
  }
  return text;
}

/* Call it when the configuration is loaded. */
static const char *topology(void) {
  static char text[1024];
  static struct tsr_cpu cpus[TSR_CPUS_MAX];
  struct tsr_machine machine;
  tsr_machine_read((enum tsr_machine_source)tsr_config.topology, &machine, cpus);
  tsr_machine_print(&machine, text, sizeof text);
  return text;
}

/* ---- output for people ---- */

static void print_memory(const char *what, size_t bytes) {
  if (bytes)
    printf("%.1f GiB %s", (double)bytes / ((size_t)1 << 30), what);
  else
    printf("%s: unknown to the kernel", what);
}

static void print_variable(const char *name, const char *value, const char *standard, const char *help, void *arg) {
  (void)arg;
  printf("  %s=%s", name, value);
  if (strcmp(value, standard) == 0)
    printf(" (default)\n");
  else
    printf(" (default: %s)\n", *standard ? standard : "not set");
  printf("      %s\n", help);
}

static int print_all(void) {
  tsr_config_load(true);
  printf("Tessera  %s\nMPI      %s\nhost     %s\nmemory   ", tessera_version(), mpi_version(), topology());
  print_memory("in total", tsr_topology_memory_total());
  printf(", ");
  print_memory("available", tsr_topology_memory_available());
  printf("\nnetwork  %s\n\nLimits\n", tsr_net_explain((char[120]){""}, 120));
  for (int i = 0; i < LIMITS_N; i++) printf("  %5d %s\n", limits[i].value, limits[i].text);
  printf("\nVariables\n");
  tsr_config_each(print_variable, NULL);
  return EXIT_SUCCESS;
}

/* ---- output for programs ---- */

static void print_string(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if ((unsigned char)*text < ' ')
      printf("\\u%04x", (unsigned)*text);
    else if (*text == '"' || *text == '\\')
      printf("\\%c", *text);
    else
      putchar(*text);
  }
  putchar('"');
}

static void print_member(const char *before, const char *key, const char *text) {
  printf("%s\"%s\": ", before, key);
  print_string(text);
}

static void print_json_variable(const char *name, const char *value, const char *standard, const char *help,
                                void *separator_) {
  const char **separator = separator_;
  print_member(*separator, "name", name);
  print_member(", ", "value", value);
  print_member(", ", "default", standard);
  print_member(", ", "help", help);
  printf("}");
  *separator = ",\n    {";
}

static int print_json(void) {
  const char *separator = "\n    {";
  tsr_config_load(true);
  print_member("{\n  ", "version", tessera_version());
  print_member(",\n  ", "mpi", mpi_version());
  print_member(",\n  ", "topology", topology());
  printf(",\n  \"memory\": {\"total_bytes\": %zu, \"available_bytes\": %zu},\n  \"limits\": {",
         tsr_topology_memory_total(), tsr_topology_memory_available());
  for (int i = 0; i < LIMITS_N; i++) printf("%s\"%s\": %d", i ? ", " : "", limits[i].key, limits[i].value);
  printf("},\n  \"variables\": [");
  tsr_config_each(print_json_variable, &separator);
  printf("\n  ]\n}\n");
  return EXIT_SUCCESS;
}

static void print_roff(const char *text) {
  for (; *text; text++) {
    if (*text == '\\')
      printf("\\e");
    else if (*text == '-')
      printf("\\-");
    else
      putchar(*text);
  }
}

static void print_man_variable(const char *name, const char *value, const char *standard, const char *help, void *arg) {
  (void)value, (void)arg;
  printf(".TP\n\\fB%s\\fR (default: ", name);
  print_roff(*standard ? standard : "not set");
  printf(")\n\\&"); /* a line that begins with a dot would be a roff request */
  print_roff(help);
  printf(".\n");
}

static int print_man(void) {
  printf(".SH ENVIRONMENT\n");
  tsr_config_each(print_man_variable, NULL);
  return EXIT_SUCCESS;
}

static void print_name(const char *name, const char *value, const char *standard, const char *help, void *arg) {
  (void)value, (void)standard, (void)help, (void)arg;
  puts(name);
}

static int print_names(void) {
  tsr_config_each(print_name, NULL);
  return EXIT_SUCCESS;
}

/* ---- the self-test ---- */

static int report(const char *call, tessera_status_t status) {
  fprintf(stderr, "tessera-info: %s: %s: %s; %s\n", call, tessera_status_name(status), tessera_status_text(status),
          tessera_status_remedy(status));
  return EXIT_FAILURE;
}

static int check(void) {
  tessera_status_t status = tessera_init(NULL, NULL);
  if (status) return report("tessera_init", status);
  int32_t unit = tessera_unit();
  if (unit == 0) printf("units: %d, nodes: %d\n", tessera_units(), tessera_nodes());
  status = tessera_exit();
  if (status) return report("tessera_exit", status);
  if (unit == 0) puts("OK");
  return EXIT_SUCCESS;
}

/* ---- memory by formula ---- */

static const char *numbers[2]; /* the words that follow --memory */

static int32_t read_number(const char *text) {
  char *end = NULL;
  long number = text ? strtol(text, &end, 10) : 0;
  return text && *text && !*end && number > 0 && number <= INT32_MAX ? (int32_t)number : 0;
}

static int print_footprint(void) {
  int32_t units_n = read_number(numbers[0]), nodes_n = read_number(numbers[1]);
  if (!units_n || !nodes_n || nodes_n > units_n) {
    fprintf(stderr, "tessera-info: --memory takes two numbers above 0, units and nodes, no more nodes than units; for example "
                    "--memory 100000 1563\n");
    return 2;
  }
  if ((units_n - 1) / nodes_n + 1 > TSR_NODE_UNITS_MAX) {
    fprintf(stderr, "tessera-info: --memory: %d units on %d nodes are more than %d on one; give more nodes\n", units_n, nodes_n,
            TSR_NODE_UNITS_MAX);
    return 2;
  }
  struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N];
  tsr_config_load(true);
  tsr_footprint(units_n, nodes_n, true, rows);
  printf("Memory of each unit before communication starts, %d units on %d nodes, wire %s, without %s own:\n", units_n, nodes_n,
         tsr_net_prefers_ucx() ? "ucx" : "mpi", tsr_net_prefers_ucx() ? "MPI's and UCX's" : "the MPI's");
  for (int i = 0; i < TSR_FOOTPRINT_ROWS_N; i++)
    printf("  %10zu bytes  %s%s\n", rows[i].bytes, rows[i].what, rows[i].is_shared ? " (its part)" : "");
  printf("  %10zu bytes  private, in total\n", tsr_footprint_bytes(rows, false));
  printf("  %10zu bytes  in total\n", tsr_footprint_bytes(rows, false) + tsr_footprint_bytes(rows, true));
  printf("Each endpoint that the unit communicates with adds up to %zu bytes, with TESSERA_WIRE_BUFFERS requests at once.\n",
         tsr_footprint_peer_bytes());
  return EXIT_SUCCESS;
}

/* ---- the wire between nodes ---- */

static void print_port(const char *text, void *arg) {
  const char **key = arg;
  printf("%-9s%s\n", *key, text);
  *key = "";
}

/* Whether the wire depends on that entry of the environment. UCX's own variables also apply to an MPI that uses UCX. */
static bool concerns_wire(const char *entry) {
  static const char *const beginnings[] = {"UCX_", "TESSERA_UCX_", "TESSERA_NET=", "TESSERA_NET_"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    if (strncmp(entry, beginnings[i], strlen(beginnings[i])) == 0) return true;
  }
  return false;
}

static void print_settings(void) {
  const char *key = "settings";
  for (char **entry = environ; *entry; entry++) {
    if (concerns_wire(*entry)) print_port(*entry, &key);
  }
  if (*key) printf("settings none of TESSERA_NET*, TESSERA_UCX_*, UCX_*\n");
}

/* The variables by which the MPI chooses its devices; NULL: an MPI that we do not know. */
static const char *mpi_variables(void) {
  static const struct {
    const char *part_of_version, *variables;
  } known[] = {{"ch4:ucx", "UCX_NET_DEVICES and UCX_TLS, which are UCX's"},
               {"ch4:ofi", "FI_PROVIDER, and FI_TCP_IFACE for tcp, which are libfabric's"},
               {"ch3:", "MPIR_CVAR_NEMESIS_TCP_NETWORK_IFACE"},
               {"Open MPI", "OMPI_MCA_btl_tcp_if_include for TCP; UCX_NET_DEVICES and UCX_TLS with OMPI_MCA_pml=ucx"}};
  static char text[MPI_MAX_LIBRARY_VERSION_STRING + 1];
  int length = 0;
  MPI_Get_library_version(text, &length);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strstr(text, known[i].part_of_version)) return known[i].variables;
  }
  return NULL;
}

/* The devices that each of the two would use between nodes, and by which variables they are chosen. False: UCX has none. */
static bool print_devices(void) {
  const char *uses = "UCX uses", *finds = "UCX has", *variables = mpi_variables();
  tsr_net_each_ucx_setting(print_port, &uses);
  const bool has_devices = tsr_net_each_ucx_device(print_port, &finds);
  printf("MPI uses devices by %s\n", variables ? variables : "variables of its own: see its documentation");
  return has_devices;
}

/* What of the wire could be set otherwise. */
static void print_choices(bool is_ucx, bool has_ucx) {
  printf("\nTo change it, on all units alike:\n");
  if (is_ucx)
    printf("  TESSERA_NET=mpi                 the MPI carries the messages\n");
  else if (has_ucx)
    printf("  TESSERA_NET=ucx                 UCX carries the messages\n");
  if (!has_ucx) {
    printf("  TESSERA_UCX_LIBRARY=FILE        the libucp to open for TESSERA_NET=ucx\n");
    return;
  }
  printf("  TESSERA_UCX_NET_DEVICES=LIST    the devices that UCX uses for Tessera, such as mlx5_0:1 or eth0\n"
         "  TESSERA_UCX_TLS=LIST            its transports, such as rc,self or tcp,self\n"
         "  UCX_NET_DEVICES, UCX_TLS        the same, also for an MPI that uses UCX\n");
}

/* Fails if a job could not start with this wire. */
static int explain(void) {
  char wire[256], ucx[1024];
  const char *key = "devices";
  tsr_config_load(true);
  const bool is_ucx = tsr_net_prefers_ucx(), has_ucx = tsr_net_describe_ucx(ucx, sizeof ucx);
  printf("wire     %s\nputs     %s\nMPI      %s\nUCX      %s\n", tsr_net_explain(wire, sizeof wire), tsr_net_explain_rma(), mpi_version(),
         ucx);
  if (tsr_net_each_verbs_port(print_port, &key) == 0) printf("devices  none for verbs (/sys/class/infiniband)\n");
  print_settings();
  const bool has_devices = print_devices();
  print_choices(is_ucx, has_ucx);
  if (!is_ucx || (has_ucx && has_devices)) return EXIT_SUCCESS;
  fflush(stdout);
  if (has_ucx) {
    fprintf(stderr, "tessera-info: --explain: TESSERA_NET=ucx, and UCX finds no device: a job on several nodes would not start; name "
                    "others in TESSERA_UCX_NET_DEVICES and TESSERA_UCX_TLS, or set TESSERA_NET=mpi\n");
    return EXIT_FAILURE;
  }
  fprintf(stderr, "tessera-info: --explain: TESSERA_NET=ucx, and UCX is not available: a job on several nodes would not start; set "
                  "TESSERA_NET=mpi, or TESSERA_UCX_LIBRARY to the file of a libucp\n");
  return EXIT_FAILURE;
}

/* ---- command line ---- */

static int print_help(void);

static const struct {
  const char *name, *help;
  int (*run)(void);
  int numbers_n; /* that follow it */
} options[] = {
  {"--json", "print the same as one JSON object", print_json, 0},
  {"--man", "print the variables as a section of a manual page (roff)", print_man, 0},
  {"--complete", "print the names of the variables, one per line", print_names, 0},
  {"--memory", "UNITS NODES: print the memory of each unit of such a job, by formula", print_footprint, 2},
  {"--explain", "print what carries messages between nodes, why, and what to set to change it", explain, 0},
  {"--check", "start and end the runtime, as one unit or under mpiexec", check, 0},
  {"--help", "print this text", print_help, 0},
};
enum { OPTIONS_N = sizeof options / sizeof *options };

static int print_help(void) {
  printf("usage: tessera-info [OPTION]\n"
         "Prints version, MPI, topology, limits, and all TESSERA_* variables with their values.\n");
  for (int i = 0; i < OPTIONS_N; i++) printf("  %-12s %s\n", options[i].name, options[i].help);
  return EXIT_SUCCESS;
}

static int run(int argc, char **argv) {
  if (argc <= 1) return print_all();
  for (int i = 0; i < OPTIONS_N; i++) {
    if (strcmp(argv[1], options[i].name) != 0 || argc > 2 + options[i].numbers_n) continue;
    for (int k = 0; k < argc - 2; k++) numbers[k] = argv[2 + k];
    return options[i].run();
  }
  if (argc > 2)
    fprintf(stderr, "tessera-info: %d options were given; give one, or none (see tessera-info --help)\n", argc - 1);
  else
    fprintf(stderr, "tessera-info: unknown option '%s'; see tessera-info --help\n", argv[1]);
  return 2;
}

int main(int argc, char **argv) {
  int code = run(argc, argv);
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  perror("tessera-info: standard output");
  return EXIT_FAILURE;
}
