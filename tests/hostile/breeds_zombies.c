/* Starts children that end at once and never reaps them. Success: it has more dead and living ones than the limit of
 * processes, up to the machine's last process number.
 *
 * expect: AC
 * expect shared: RE:1 (the limit counts all that the user runs, so it has a margin of some hundreds)
 */
#include "bare.h"

static int attack(void) {
    long children = 0;
    for (; children < 400; children++) {
        long child = split();
        if (child == 0) leave(0);
        if (child < 0) break;
    }
    if (children > 16) hole("the number of zombies", children);
    return 0;
}
