/* Leaves an orphan in a session of its own that holds all streams open. Success: a judge that waits for the end of the
 * output waits for ever.
 *
 * expect: AC
 * prints: done
 */
#include "bare.h"

static int attack(void) {
    if (split() == 0) {
        CALL(__NR_setsid);
        if (split() == 0) sleep_for_ever();
        leave(0);
    }
    say("done");
    return 0;
}
