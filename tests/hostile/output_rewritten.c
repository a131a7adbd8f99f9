/* Writes its whole limit over and over from the start of the file, and punches holes in it meanwhile. Success: it is not
 * stopped, because the size stays within the limit; its CPU time must end it.
 *
 * expect: TLE
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16];
    for (;;) {
        CALL(__NR_lseek, 1, 0, 0);
        for (int count = 0; count < 16; count++) CALL(__NR_write, 1, block, sizeof block);
        CALL(__NR_fallocate, 1, 3 /* punch a hole, keep the size */, 0, MIB);
    }
}
