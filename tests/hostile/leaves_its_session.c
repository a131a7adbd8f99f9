/* Joins the judge's process group, moves the launcher into another one, and leaves its own group or session in children.
 * Success: it joins the group, and gets its signals; or a child outlives the run because the judge searched only its group.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    MUST_FAIL(CALL(__NR_setpgid, 0, number_in(hint("JUDGE"))));
    MUST_FAIL(CALL(__NR_setpgid, number_in(hint("LAUNCHER")), 0));
    for (int child = 0; child < 4; child++)
        if (split() == 0) {
            child % 2 ? CALL(__NR_setpgid, 0, 0) : CALL(__NR_setsid);
            sleep_for_ever();
        }
    nap_ms(5);
    return 0;
}
