/* Reads from address 16 with SIGSEGV ignored and blocked. Success: the signal that the kernel forces is lost and the
 * program spins for ever, or its end is reported as something else.
 *
 * expect: RE:SIGSEGV
 */
#include "bare.h"

static int attack(void) {
    unsigned long all = ~0UL;
    ignore(SIGSEGV);
    CALL(__NR_rt_sigprocmask, SIG_SETMASK, &all, 0, 8);
    volatile char *volatile nowhere = (char *)16;
    return *nowhere;
}
