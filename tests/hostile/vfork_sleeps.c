/* Sleeps in a child that it shares its memory with, so that it waits itself where only SIGKILL reaches it. Success: the run
 * cannot be ended.
 *
 * libc: yes
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"

static int play(void) {
    if (vfork() == 0) sleep_for_ever();
    return 0;
}
