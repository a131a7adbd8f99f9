/* Starts itself anew as soon as it runs, so that no program lives for long. Success: its time begins at zero each time. Where
 * it cannot see its own file it burns on as it is.
 *
 * expect: TLE
 */
#include "bare.h"

static int play(void) {
    burn_ms(1);
    CALL(__NR_execve, arguments[0], arguments, environment);
    burn_for_ever();
}
