/* Sleeps in a child that shares its memory (vfork), so that it waits itself in a state that only SIGKILL ends. Success: the run
 * cannot be ended.
 *
 * libc: yes
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"

static int attack(void) {
    if (vfork() == 0) sleep_for_ever();
    return 0;
}
