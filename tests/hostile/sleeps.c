/* Sleeps. Success: a judge that limits only CPU time waits for ever.
 *
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"

static int attack(void) { sleep_for_ever(); }
