/* --explain: what carries messages between nodes, and why. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/config.h"
#include "info.h"
#include "net/start.h"

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

/* The variables by which the MPI chooses its devices; NULL: the MPI is unknown. */
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

/* The devices that UCX and the MPI would use between nodes, and the variables that choose them. False: UCX has no devices. */
static bool print_devices(void) {
  const char *uses = "UCX uses", *finds = "UCX has", *variables = mpi_variables();
  tsr_net_each_ucx_setting(print_port, &uses);
  const bool has_devices = tsr_net_each_ucx_device(print_port, &finds);
  printf("MPI uses devices by %s\n", variables ? variables : "variables of its own: see its documentation");
  return has_devices;
}

/* The settings that would change the wire. */
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
int info_explain(void) {
  char wire[256], ucx[1024];
  const char *key = "devices";
  tsr_config_load(true);
  const bool is_ucx = tsr_net_prefers_ucx(), has_ucx = tsr_net_describe_ucx(ucx, sizeof ucx);
  printf("wire     %s\nputs     %s\nMPI      %s\nUCX      %s\n", tsr_net_explain(wire, sizeof wire), tsr_net_explain_rma(),
         info_mpi_version(), ucx);
  if (tsr_net_each_verbs_port(print_port, &key) == 0) printf("devices  none for verbs (/sys/class/infiniband)\n");
  print_settings();
  const bool has_devices = print_devices();
  print_choices(is_ucx, has_ucx);
  if (!is_ucx || (has_ucx && has_devices)) return EXIT_SUCCESS;
  fflush(stdout);
  if (has_ucx) {
    fprintf(stderr,
            "tessera-info: --explain: TESSERA_NET=ucx, and UCX finds no device: a job on several nodes would not start; name "
            "others in TESSERA_UCX_NET_DEVICES and TESSERA_UCX_TLS, or set TESSERA_NET=mpi\n");
    return EXIT_FAILURE;
  }
  fprintf(stderr, "tessera-info: --explain: TESSERA_NET=ucx, and UCX is not available: a job on several nodes would not start; set "
                  "TESSERA_NET=mpi, or TESSERA_UCX_LIBRARY to the file of a libucp\n");
  return EXIT_FAILURE;
}
