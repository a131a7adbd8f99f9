/* Takes its own process number, and a child's, for a counter of runs: from it a program knows how many cases came before, and
 * answers by heart. Success: a number that is not the same in each run.
 *
 * unconfined: succeeds
 * expect: AC
 * expect basic: RE:1 (without a process namespace the machine's numbers are in sight)
 */
#include "bare.h"

static int play(void) {
    long self = CALL(__NR_getpid), child = split();
    if (child == 0) leave(0);
    if (self > 2) hole("its number", self);
    if (child > 3) hole("its child's", child);
    return 0;
}
