/* Takes the launcher's place as the reaper of orphans, switches off the signal on its parent's death, and leaves
 * orphans. Success: they become its children, and outlive it.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    CALL(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1);
    CALL(__NR_prctl, PR_SET_PDEATHSIG, 0);
    if (split() == 0) {
        CALL(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1);
        CALL(__NR_prctl, PR_SET_PDEATHSIG, 0);
        CALL(__NR_setsid);
        if (split() == 0) {
            if (split() == 0) sleep_for_ever();
            sleep_for_ever();
        }
        leave(0);
    }
    nap_ms(5);
    return 0;
}
