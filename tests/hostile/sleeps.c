/* Sleeps. Success: a judge that limits only CPU time waits for ever.
 *
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"

static int play(void) { sleep_for_ever(); }
