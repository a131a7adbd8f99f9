/* Writes to address 0. Success: its end is reported as something other than SIGSEGV.
 *
 * expect: RE:SIGSEGV
 */
#include "bare.h"

static int attack(void) {
    volatile char *volatile nowhere = 0;
    *nowhere = 1;
    return 0;
}
