/* Writes without end to standard error, and ignores the signal that comes at the limit. Success: standard error, which is
 * not judged, is not limited.
 *
 * expect: OLE
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16];
    ignore(SIGXFSZ);
    while (CALL(__NR_write, 2, block, sizeof block) > 0) {
    }
    return 0;
}
