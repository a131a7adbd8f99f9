/* Leaves orphans that are stopped, that ignore all signals, and that are in the middle of a vfork. Success: one outlives the
 * run.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    if (split() == 0) signal_to(CALL(__NR_getpid), SIGSTOP);
    if (split() == 0) {
        CALL(__NR_setsid);
        for (int number = 1; number <= 64; number++) ignore(number);
        sleep_for_ever();
    }
    if (split() == 0) {
        if (CALL(__NR_clone, CLONE_VFORK | SIGCHLD) == 0) sleep_for_ever();
        leave(0);
    }
    nap_ms(5);
    return 0;
}
