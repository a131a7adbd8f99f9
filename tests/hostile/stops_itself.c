/* Stops itself with SIGSTOP. Success: a judge that waits for its exit waits for ever.
 *
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"

static int attack(void) {
    signal_to(CALL(__NR_getpid), SIGSTOP);
    return 0;
}
