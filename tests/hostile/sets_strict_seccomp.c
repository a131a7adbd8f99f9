/* Switches on the strict mode, in which only read, write, exit and sigreturn are left, and ends in it. Success: the judge
 * takes the end for a crash, or cannot measure it.
 *
 * expect: AC
 * prints: strict
 */
#include "bare.h"

static int play(void) {
    /* Beside another filter the kernel refuses it, which is as well. */
    CALL(__NR_prctl, PR_SET_SECCOMP, 1);
    say("strict");
    CALL(__NR_exit, 0);
    return 1;
}
