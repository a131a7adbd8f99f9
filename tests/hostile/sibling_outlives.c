/* Leaves processes that are children of its own parent (CLONE_PARENT), stopped, asleep and without a signal at their end.
 * Success: they outlive it.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    if (CALL(__NR_clone, CLONE_PARENT | SIGCHLD) == 0) sleep_for_ever();
    if (CALL(__NR_clone, CLONE_PARENT) == 0) sleep_for_ever();
    if (CALL(__NR_clone, CLONE_PARENT) == 0) signal_to(CALL(__NR_getpid), SIGSTOP);
    if (CALL(__NR_clone, 0) == 0) sleep_for_ever();
    return 0;
}
