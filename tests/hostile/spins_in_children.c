/* Burns CPU time in twelve children at once, none of which reaches the limit alone. Success: only the largest is counted.
 *
 * expect: TLE
 */
#include "bare.h"

static int attack(void) {
    for (int child = 0; child < 12; child++)
        if (split() == 0) {
            burn_ms(100);
            leave(0);
        }
    while (wait_for(-1, 0) > 0) {
    }
    return 0;
}
