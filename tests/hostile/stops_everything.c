/* Stops its group, its parent and whatever else it may signal, again and again, itself last. Success: the launcher
 * stops, and the judge waits for it.
 *
 * limits: wall 300 ms
 * basic needs: landlock 6
 * expect: ILE
 */
#include "bare.h"

static int attack(void) {
    for (int round = 0; round < 3; round++) {
        signal_to(-1, SIGSTOP);
        signal_to(CALL(__NR_getppid), SIGSTOP);
        signal_to(1, SIGSTOP);
        signal_to(0, SIGSTOP);
    }
    return 0;
}
