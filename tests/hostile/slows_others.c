/* Changes priorities, schedulers and processors of its parent, the judge and the launcher, and of all processes of its user.
 * Success: one of them: the judge would then measure late, or never.
 *
 * expect: AC
 */
#include "bare.h"

static void slow(const char *what, long process) {
    unsigned long processors = 0;
    int batch[1] = {0};
    if (process == 0 || process == CALL(__NR_getpid)) return;
    /* To its present value, so that a success does no harm. */
    long priority = 20 - CALL(__NR_getpriority, PRIO_PROCESS, process);
    must_fail(what, CALL(__NR_setpriority, PRIO_PROCESS, process, priority > 19 ? 0 : priority));
    CALL(__NR_sched_getaffinity, 0, sizeof processors, &processors);
    must_fail(what, CALL(__NR_sched_setaffinity, process, sizeof processors, &processors));
    must_fail(what, CALL(__NR_sched_setscheduler, process, 0 /* other */, batch));
    must_fail(what, CALL(__NR_sched_setparam, process, batch));
    unsigned int attributes[14] = {56, 0};
    must_fail(what, CALL(__NR_sched_setattr, process, attributes, 0));
    must_fail(what, CALL(__NR_ioprio_set, 1, process, 2 << 13 | 4));
}

static int attack(void) {
    slow("the parent", CALL(__NR_getppid));
    slow("the judge", number_in(hint("JUDGE")));
    slow("the launcher", number_in(hint("LAUNCHER")));
    slow("process 1", 1);
    return 0;
}
