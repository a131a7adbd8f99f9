/* Writes exactly as much as it may, 64 MiB, as much as its memory limit. Success: it is blamed for its output, or for the
 * memory that its output uses in the judge's file.
 *
 * limits: cpu 2000 ms, wall 4000 ms, output 64 MiB
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16];
    for (long left = 64 * MIB; left > 0; left -= sizeof block)
        if (CALL(__NR_write, 1, block, sizeof block) != sizeof block) return 1;
    return 0;
}
