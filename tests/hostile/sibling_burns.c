/* Starts a process as a child of its own parent (CLONE_PARENT), which burns while it sleeps itself. Success: a judge that adds
 * up the time of its children misses it.
 *
 * expect: TLE
 */
#include "bare.h"

static int attack(void) {
    for (int child = 0; child < 2; child++)
        if (CALL(__NR_clone, CLONE_PARENT | SIGCHLD) == 0) burn_for_ever();
    /* Where that is refused, an ordinary child burns. */
    if (split() == 0) burn_for_ever();
    sleep_for_ever();
}
