/* Fills memory in fourteen children that all reach for the limit at the same moment. Success: the machine's memory runs out
 * before the judge takes a sample, and the kernel kills the launcher, or the judge.
 *
 * expect: MLE
 */
#include "bare.h"

static int attack(void) {
    volatile int *go = (volatile int *)map(4096, MAP_SHARED);
    for (int child = 0; child < 14; child++)
        if (split() == 0) {
            while (!*go) CALL(__NR_sched_yield);
            for (int round = 0; round < 32; round++) touch(map(MIB, MAP_PRIVATE), MIB);
            sleep_for_ever();
        }
    *go = 1;
    sleep_for_ever();
}
