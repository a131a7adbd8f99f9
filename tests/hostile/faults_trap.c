/* Meets a breakpoint without a debugger. Success: its end is reported as something other than SIGTRAP.
 *
 * expect: RE:SIGTRAP
 */
#include "bare.h"

static int attack(void) {
#if defined(__x86_64__)
    __asm__ volatile("int3");
#else
    __asm__ volatile("brk 0");
#endif
    return 0;
}
