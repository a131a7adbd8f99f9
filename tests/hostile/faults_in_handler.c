/* Overflows its stack by little inside a limit that would allow more, with the signal blocked. Success: the kernel's forced
 * signal is lost and it spins for ever, or is reported as something else.
 *
 * expect: RE:SIGSEGV
 */
#include "bare.h"

static int play(void) {
    unsigned long all = ~0UL;
    ignore(SIGSEGV);
    CALL(__NR_rt_sigprocmask, SIG_SETMASK, &all, 0, 8);
    volatile char *volatile nowhere = (char *)16;
    return *nowhere;
}
