/* Changes the priority of all processes of its user, which may be the judge's: setpriority and ioprio_set take users as well as
 * processes. (It sets the present values, so that a success does no harm.) Success: it is
 * allowed for more than its own process group.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    long priority = 20 - CALL(__NR_getpriority, PRIO_PROCESS, 0);
    MUST_FAIL(CALL(__NR_setpriority, PRIO_USER, 0, priority));
    MUST_FAIL(CALL(__NR_setpriority, PRIO_USER, CALL(__NR_getuid), priority));
    MUST_FAIL(CALL(__NR_ioprio_set, 3 /* a user's */, CALL(__NR_getuid), 2 << 13 | 4));
    return 0;
}
