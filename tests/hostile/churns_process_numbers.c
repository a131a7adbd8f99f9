/* Makes and reaps children as fast as it can, so that process numbers wrap around and are reused. Success: the judge
 * mistakes a foreign process for one of the run's, or process numbers run out.
 *
 * expect: TLE|ILE
 * expect user: TLE|ILE (the time of many short-lived children may be spent by the kernel on starting them)
 * expect basic: TLE|ILE (the time of many short-lived children may be spent by the kernel on starting them)
 */
#include "bare.h"

static int attack(void) {
    for (;;) {
        if (split() == 0) leave(0);
        wait_for(-1, 0);
    }
}
