/* Ignores every signal that can be ignored, blocks them all and sleeps. Success: a judge that does not use SIGKILL never gets
 * rid of it.
 *
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"

static int attack(void) {
    for (int number = 1; number <= 64; number++) ignore(number);
    unsigned long all = ~0UL;
    CALL(__NR_rt_sigprocmask, SIG_SETMASK, &all, 0, 8);
    sleep_for_ever();
}
