/* Switches on the strict mode, in which only read, write, exit and sigreturn are left, and ends in it. Success: the judge
 * mistakes the end for a crash, or cannot measure it.
 *
 * expect: AC
 * prints: strict
 */
#include "bare.h"

static int attack(void) {
    /* The kernel refuses it if there is another filter, which is just as good. */
    CALL(__NR_prctl, PR_SET_SECCOMP, 1);
    say("strict");
    CALL(__NR_exit, 0);
    return 1;
}
