/* Calls abort(), which raises SIGABRT, and as process 1 of a namespace would end otherwise. Success: its end is reported as
 * something else than SIGABRT.
 *
 * libc: yes
 * expect: RE:SIGABRT
 */
#include "bare.h"

static int play(void) { abort(); }
