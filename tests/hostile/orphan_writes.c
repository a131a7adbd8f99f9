/* Leaves an orphan that keeps writing after the first process has ended. Success: the output changes after the run, or
 * runs into that of the next.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    if (split() == 0) {
        CALL(__NR_setsid);
        for (;;) {
            say("late\n");
            nap_ms(1);
        }
    }
    say("first\n");
    return 0;
}
