/* Kills all processes that it may signal, as kill(-1) does. Success: other processes of the same user are dead: the launcher,
 * other runs, the judge.
 *
 * basic needs: landlock 6
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    signal_to(-1, SIGKILL);
    signal_to(-1, SIGTERM);
    return 0;
}
