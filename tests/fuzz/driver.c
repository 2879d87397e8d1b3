/* Feeds a fuzz target without libFuzzer: the files that are named, or so many cases of random bytes, always the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CASES = 6000, LONGEST = 512, FILE_LONGEST = 1 << 20 };

static int run_file(const char *name) {
  static uint8_t data[FILE_LONGEST];
  FILE *file = fopen(name, "rb");
  if (!file) {
    perror(name);
    return 1;
  }
  size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  LLVMFuzzerTestOneInput(data, size);
  return 0;
}

static void run_random(void) {
  uint64_t state = 0x7e55e7a;
  for (int i = 0; i < CASES; i++) {
    uint8_t data[LONGEST];
    size_t size = 0;
    do {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      data[size++] = (uint8_t)(state >> 56);
    } while (size < LONGEST && (size < 8 || (state >> 40) % 128));
    LLVMFuzzerTestOneInput(data, size);
  }
}

int main(int argc, char **argv) {
  int bad = 0;
  for (int i = 1; i < argc; i++) bad |= run_file(argv[i]);
  if (argc == 1) run_random();
  return bad;
}
