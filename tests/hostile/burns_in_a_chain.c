/* Burns CPU time in a chain of processes, each of which lives for two milliseconds, starts the next and ends, while the first
 * only sleeps. Success: their time is not counted, and no sample sees the same process twice.
 *
 * limits: wall 900 ms
 * expect: TLE
 * expect user: TLE|ILE (without a control group it counts only if each link is reaped by the launcher's own init)
 * expect basic: TLE|ILE (it counts as far as the launcher, their new parent, has reaped them)
 */
#include "bare.h"

static int attack(void) {
    if (split() == 0)
        for (;;) {
            CALL(__NR_setsid);
            burn_ms(2);
            if (split() > 0) leave(0);
        }
    sleep_for_ever();
}
