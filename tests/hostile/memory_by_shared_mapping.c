/* Fills 128 MiB of memory that it shares with nobody, but as shared memory, which the kernel keeps as a file. Success: it
 * counts as a file, not as memory.
 *
 * expect: MLE
 */
#include "bare.h"

static int play(void) {
    touch(map(128 * MIB, MAP_SHARED), 128 * MIB);
    return 0;
}
