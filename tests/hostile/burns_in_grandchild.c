/* Burns CPU time in a grandchild whose parent has ended, while the first process sleeps. Success: the time is not
 * counted, because wait4(2) counts only children that were waited for.
 *
 * expect: TLE
 */
#include "bare.h"

static int attack(void) {
    if (split() == 0) {
        if (split() == 0) burn_for_ever();
        leave(0);
    }
    wait_for(-1, 0);
    sleep_for_ever();
}
