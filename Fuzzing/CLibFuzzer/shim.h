// libFuzzer as a library; its runtime comes with the compiler and has no header for this.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*test_one_input)(const uint8_t *data, size_t size));
