/* Uses its own process number, and a child's, as a counter of runs, from which a program knows how many cases came before, and
 * could print memorised answers. Success: a number that is not the same in each run.
 *
 * unconfined: succeeds
 * expect: AC
 * expect basic: RE:1 (without a process namespace the machine's numbers are visible)
 */
#include "bare.h"

static int attack(void) {
    long self = CALL(__NR_getpid), child = split();
    if (child == 0) leave(0);
    if (self > 2) hole("its number", self);
    if (child > 3) hole("its child's", child);
    return 0;
}
