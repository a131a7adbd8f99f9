/* Looks for the judge, its launcher and their neighbours by number, with the null signal. Success: one of them could be
 * signalled, and so be stopped or killed.
 *
 * basic needs: landlock 6
 * expect: AC
 */
#include "bare.h"

static void around(const char *whom) {
    long centre = number_in(hint(whom)), self = CALL(__NR_getpid);
    for (long process = centre - 20; process <= centre + 20; process++)
        if (process > 1 && process != self && CALL(__NR_kill, process, 0) == 0) hole(whom, process);
    if (CALL(__NR_tkill, centre, 0) == 0) hole("tkill of the same", centre);
    char no_info[128] = {0};
    if (CALL(__NR_rt_sigqueueinfo, centre, SIGTERM, no_info) == 0) hole("rt_sigqueueinfo", centre);
}

static int attack(void) {
    around("JUDGE");
    around("LAUNCHER");
    return 0;
}
