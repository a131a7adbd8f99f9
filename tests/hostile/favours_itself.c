/* Gives itself a better priority, a real-time scheduler, a deadline and the first place at the disk. Success: one of them: the
 * launcher would then get no processor to stop it.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    int first[1] = {1};
    MUST_FAIL(CALL(__NR_setpriority, PRIO_PROCESS, 0, -20));
    MUST_FAIL(CALL(__NR_sched_setscheduler, 0, 1 /* FIFO */, first));
    MUST_FAIL(CALL(__NR_sched_setscheduler, 0, 2 /* RR */, first));
    struct {
        unsigned int size, policy;
        unsigned long flags;
        int nice;
        unsigned int priority;
        unsigned long runtime, deadline, period;
    } deadline = {48, 6, 0, 0, 0, 10000000, 30000000, 30000000};
    MUST_FAIL(CALL(__NR_sched_setattr, 0, &deadline, 0));
    MUST_FAIL(CALL(__NR_ioprio_set, 1, 0, 1 << 13));
    /* These are allowed but must not last: the honest program after it checks that. */
    CALL(__NR_setpriority, PRIO_PROCESS, 0, 19);
    CALL(__NR_sched_setscheduler, 0, 3 /* batch */, (int[1]){0});
    return 0;
}
