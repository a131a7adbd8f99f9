/* Runs a program that it has written to its scratch folder. Success: as in execs_memory.c.
 *
 * expect: RE:5
 */
#include "tiny.h"

static int attack(void) {
    must_fail("running a file from scratch", become_tiny_from_scratch());
    return 5;
}
