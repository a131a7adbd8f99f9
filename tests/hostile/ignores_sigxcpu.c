/* Ignores SIGXCPU, by which the kernel asks a program to end, and burns on. Success: it is not stopped at its limit.
 *
 * expect: TLE
 * at most: cpu 350 ms
 */
#include "bare.h"

static int attack(void) {
    ignore(SIGXCPU);
    burn_for_ever();
}
