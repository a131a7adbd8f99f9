/* Makes and reaps children as fast as it can, so that process numbers run through and are given anew. Success: the judge
 * takes a stranger for one of the run's processes, or its numbers run out.
 *
 * expect: TLE
 * expect user: TLE|ILE (the time of many short-lived children may be spent by the kernel on their making)
 * expect basic: TLE|ILE (the time of many short-lived children may be spent by the kernel on their making)
 */
#include "bare.h"

static int play(void) {
    for (;;) {
        if (split() == 0) leave(0);
        wait_for(-1, 0);
    }
}
