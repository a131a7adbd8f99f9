/* Fills 128 MiB of shared memory that no other process has mapped. The kernel keeps it as a file. Success: it
 * counts as a file, not as memory.
 *
 * expect: MLE
 */
#include "bare.h"

static int attack(void) {
    touch(map(128 * MIB, MAP_SHARED), 128 * MIB);
    return 0;
}
