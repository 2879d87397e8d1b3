#include "api/armci/strided.h"

/* Whether there is anything to copy. An error ends the job. */
static bool check_pack(const char *call, const struct tsr_armci_strides *strides, const void *ptr, const void *buffer) {
  bool any = false;
  int code = tsr_armci_strides_check(call, strides, "stride", &any);
  if (!code && any && !(ptr && buffer))
    code = tsr_armci_fail(FAIL2, "TSR-3091 %s: ptr is %p, buffer %p; pass two pointers", call, ptr, buffer);
  if (code) tsr_armci_die("TSR-3092 %s: nothing was copied; see the message above", call);
  return any;
}

void armci_write_strided(void *ptr, int levels, int stride[], int count[], char *buffer) {
  const struct tsr_armci_strides strides = {count, stride, levels};
  if (!check_pack("armci_write_strided", &strides, ptr, buffer)) return;
  tsr_layout layout;
  tsr_armci_strides_layout(&strides, &layout);
  tsr_layout_pack(buffer, ptr, &layout, 0, tsr_layout_bytes(&layout));
}

void armci_read_strided(void *ptr, int levels, int stride[], int count[], char *buffer) {
  const struct tsr_armci_strides strides = {count, stride, levels};
  if (!check_pack("armci_read_strided", &strides, ptr, buffer)) return;
  tsr_layout layout;
  tsr_armci_strides_layout(&strides, &layout);
  tsr_layout_unpack(ptr, &layout, 0, tsr_layout_bytes(&layout), buffer);
}
