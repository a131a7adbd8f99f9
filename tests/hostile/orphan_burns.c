/* Leaves orphans, two generations down and in sessions of their own, that burn CPU time after the first process has
 * ended. Success: they go on while the next run is measured.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    for (int child = 0; child < 3; child++)
        if (split() == 0) {
            CALL(__NR_setsid);
            if (split() == 0) burn_for_ever();
            leave(0);
        }
    return 0;
}
