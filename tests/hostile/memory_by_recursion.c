/* Calls itself without end. Success: it is reported to have crashed, although its stack used up all its memory.
 *
 * expect: MLE
 */
#include "bare.h"

static volatile int deeper = 1;

__attribute__((noinline)) static int dive(volatile char *above) {
    volatile char here[512];
    for (int at = 0; at < 512; at += 64) here[at] = above[0] + 1;
    return deeper ? dive(here) + here[1] : 0;
}

static int attack(void) {
    volatile char top = 0;
    return dive(&top);
}
