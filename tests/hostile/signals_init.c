/* Sends every signal to process 1: in a process namespace that is the run's own init, and if it stops or dies, so may the
 * launcher's view of the run. A call that returns 0 is no hole, because such an init ignores signals; the result of the run
 * shows whether it did. The parent is outside of such a namespace and has no number in it. Success: no exit code, or a wrong
 * one; without a namespace, a signal that gets through.
 *
 * basic needs: landlock 6
 * expect: RE:7
 */
#include "bare.h"

static int attack(void) {
    if (CALL(__NR_getppid) > 1) {
        if (CALL(__NR_kill, 1, 0) == 0) hole("a signal to the machine's init", 0);
        return holes ? 1 : 7;
    }
    for (int number = 1; number <= 64; number++)
        if (number != SIGKILL) signal_to(1, number);
    signal_to(1, SIGKILL);
    nap_ms(20);
    return 7;
}
