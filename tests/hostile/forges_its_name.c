/* Burns in a child whose name looks like the rest of a line of /proc/PID/stat: `) Z 1 1 1`. Success: a judge that reads that
 * line from the left finds the wrong parent and state, and misses the time.
 *
 * expect: TLE
 */
#include "bare.h"

static int attack(void) {
    CALL(__NR_prctl, PR_SET_NAME, ") Z 1 1 1 (\n");
    if (split() == 0) {
        CALL(__NR_setsid);
        CALL(__NR_prctl, PR_SET_NAME, "a) Z 1 1 0 0");
        burn_for_ever();
    }
    sleep_for_ever();
}
