/* Makes itself undumpable, so that its files in /proc belong to root, and fills memory and burns in a child that is undumpable
 * too. Success: a launcher of the same user can no longer inspect it.
 *
 * limits: wall 900 ms
 * expect: TLE|ILE
 */
#include "bare.h"

static int attack(void) {
    CALL(__NR_prctl, PR_SET_DUMPABLE, 0);
    if (split() == 0) {
        CALL(__NR_prctl, PR_SET_DUMPABLE, 0);
        burn_for_ever();
    }
    sleep_for_ever();
}
