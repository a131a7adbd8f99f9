/* Queues real-time signals to itself until it is refused, and creates timers the same way: both use up what the kernel grants a
 * user. Success: the honest run after it receives some of them, or cannot work.
 *
 * limits: cpu 2000 ms, wall 4000 ms
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    unsigned long all = ~0UL;
    long self = CALL(__NR_getpid);
    CALL(__NR_rt_sigprocmask, SIG_SETMASK, &all, 0, 8);
    int info[32] = {40, 0, -1};
    for (long count = 0; count < 100000 && CALL(__NR_rt_sigqueueinfo, self, 40, info) == 0; count++) {
    }
    int timer;
    for (long count = 0; count < 10000 && CALL(__NR_timer_create, CLOCK_MONOTONIC, 0, &timer) == 0; count++) {
    }
    return 0;
}
