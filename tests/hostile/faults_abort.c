/* Calls abort(), which raises SIGABRT; process 1 of a namespace would end in another way. Success: its end is reported as
 * something other than SIGABRT.
 *
 * libc: yes
 * expect: RE:SIGABRT
 */
#include "bare.h"

static int attack(void) { abort(); }
