/* Writes one byte more than it may, 64 MiB and 1. Success: the last byte is not noticed.
 *
 * limits: cpu 2000 ms, wall 4000 ms, output 64 MiB
 * expect: OLE
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16];
    for (long left = 64 * MIB; left > 0; left -= sizeof block)
        if (CALL(__NR_write, 1, block, sizeof block) != sizeof block) return 1;
    CALL(__NR_write, 1, block, 1);
    return 0;
}
