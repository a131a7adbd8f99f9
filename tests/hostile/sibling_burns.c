/* Makes a child that is its parent's (CLONE_PARENT) and burns there while it sleeps itself. Success: nobody who adds up its
 * children's time finds it.
 *
 * expect: TLE
 */
#include "bare.h"

static int play(void) {
    for (int child = 0; child < 2; child++)
        if (CALL(__NR_clone, CLONE_PARENT | SIGCHLD) == 0) burn_for_ever();
    /* Where that is refused a plain child must do. */
    if (split() == 0) burn_for_ever();
    sleep_for_ever();
}
