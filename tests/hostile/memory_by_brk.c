/* Fills memory by moving the end of its data. Success: it gets more than its limit, or is reported to have crashed.
 *
 * expect: MLE
 */
#include "bare.h"

static int attack(void) {
    long end = CALL(__NR_brk, 0);
    for (;;) {
        if (CALL(__NR_brk, end + MIB) != end + MIB) return 0;
        touch((char *)end, MIB);
        end += MIB;
    }
}
