/* Leaves its process group and session in a child, joins others', and takes a terminal. Success: it joins a group of the judge's,
 * and with it its signals; or it outlives the run because it was sought in its group.
 *
 * expect: AC
 */
#include "bare.h"

static int play(void) {
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
