/* Reads and lowers the limits of its parent, the judge and the launcher by prlimit: without CPU time they would be killed by
 * the kernel. Success: a limit can be set (it lowers only that of core dumps).
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static void limit(const char *what, long process) {
    unsigned long none[2] = {0, 0}, now[2];
    if (process == 0 || process == CALL(__NR_getpid)) return;
    must_fail(what, CALL(__NR_prlimit64, process, RLIMIT_CORE, 0, now));
    must_fail(what, CALL(__NR_prlimit64, process, RLIMIT_CORE, none, 0));
}

static int attack(void) {
    limit("the parent", CALL(__NR_getppid));
    limit("the judge", number_in(hint("JUDGE")));
    limit("the launcher", number_in(hint("LAUNCHER")));
    limit("process 1", 1);
    return 0;
}
