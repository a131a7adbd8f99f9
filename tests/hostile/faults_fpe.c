/* Divides by zero. Success: its end is reported as something other than SIGFPE.
 *
 * expect: RE:SIGFPE
 */
#include "bare.h"

static int attack(void) {
    volatile int seven = 7, zero = 0;
#if defined(__x86_64__)
    return seven / zero;
#else
    /* On this architecture the result is 0. */
    signal_to(CALL(__NR_getpid), SIGFPE);
    return seven + zero;
#endif
}
