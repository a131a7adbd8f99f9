/* Writes without end from eight children at once, which ignore the signal that comes at the limit. Success: each may write as
 * much as the limit for all.
 *
 * expect: OLE
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 12];
    ignore(SIGXFSZ);
    for (int child = 0; child < 8; child++)
        if (split() == 0) {
            while (CALL(__NR_write, 1, block, sizeof block) > 0) {
            }
            leave(0);
        }
    while (wait_for(-1, 0) > 0) {
    }
    return 0;
}
