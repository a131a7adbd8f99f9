/* Ignores SIGCHLD and burns CPU time in children that live for two milliseconds each: the kernel adds their time to no
 * parent. Success: it has the processor until the wall limit, and the time is not counted.
 *
 * limits: wall 900 ms
 * expect: TLE
 * expect user: TLE|ILE (without a control group only what was seen while it lived counts; the wall limit bounds the rest)
 * expect basic: TLE|ILE (without a control group only what was seen while it lived counts; the wall limit bounds the rest)
 */
#include "bare.h"

static int attack(void) {
    ignore(SIGCHLD);
    for (;;) {
        if (split() == 0) {
            burn_ms(2);
            leave(0);
        }
        wait_for(-1, 0);
    }
}
