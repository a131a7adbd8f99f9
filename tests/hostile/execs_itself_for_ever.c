/* Executes itself again as soon as it runs, so that no program runs for long. Success: its time begins at zero each time. Where
 * it cannot see its own file it burns on without that.
 *
 * expect: TLE
 */
#include "bare.h"

static int attack(void) {
    burn_ms(1);
    CALL(__NR_execve, arguments[0], arguments, environment);
    burn_for_ever();
}
