/* Writes without end to standard error, and ignores the signal that comes at the limit. Success: what is not judged is not
 * bounded.
 *
 * expect: OLE
 */
#include "bare.h"

static int play(void) {
    static char block[1 << 16];
    ignore(SIGXFSZ);
    while (CALL(__NR_write, 2, block, sizeof block) > 0) {
    }
    return 0;
}
