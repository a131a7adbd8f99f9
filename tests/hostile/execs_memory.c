/* Runs a program from a file in memory, which no path names, to lose its confinement. Success: the new program can open
 * an internet socket (it exits with 1, and with 5 if it cannot; if it cannot be run at all, this one exits with 5).
 *
 * expect: RE:5
 */
#include "tiny.h"

static int attack(void) {
    must_fail("running a file in memory", become_tiny_from_memory());
    return 5;
}
