/* Writes without end. Success: it fills the disk or the judge's memory.
 *
 * expect: OLE
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16];
    for (;;) CALL(__NR_write, 1, block, sizeof block);
}
