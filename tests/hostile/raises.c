/* Raises the signal of its argument. Success: its end is reported as something else.
 *
 * sweep: signals
 * expect: RE
 */
#include "bare.h"

static int attack(void) {
    signal_to(CALL(__NR_getpid), number_in(arguments[1]));
    return 99;
}
