/* The devices that UCX finds with the settings in effect: for tools, before a job. */
#ifndef TSR_NET_UCX_DEVICES_H
#define TSR_NET_UCX_DEVICES_H

#include <stdbool.h>

/* Calls `row` for the devices and the transports that UCX may use: "UCX_TLS=tcp,self, by TESSERA_UCX_TLS". */
void tsr_ucx_each_setting(void (*row)(const char *text, void *arg), void *arg);

/* Calls `row` for each device with its transports, "eth0: tcp", or once for the error. False: an error. UCX is open. */
bool tsr_ucx_each_device(void (*row)(const char *text, void *arg), void *arg);

#endif
