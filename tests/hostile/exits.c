/* Exits with the code of its argument, 0 to 255. Success: another code is reported.
 *
 * sweep: codes
 * expect: RE
 */
#include "bare.h"

static int attack(void) { leave(number_in(arguments[1])); }
