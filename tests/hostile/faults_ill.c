/* Executes an invalid instruction. Success: its end is reported as something other than SIGILL.
 *
 * expect: RE:SIGILL
 */
#include "bare.h"

static int attack(void) {
#if defined(__x86_64__)
    __asm__ volatile("ud2");
#else
    __asm__ volatile(".inst 0");
#endif
    return 0;
}
