/* Burns CPU time. Success: it gets more than its limit.
 *
 * expect: TLE
 * at most: cpu 350 ms
 */
#include "bare.h"

static int attack(void) { burn_for_ever(); }
