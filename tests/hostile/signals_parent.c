/* Stops and kills its parent, the launcher, or what stands between. Success: the launcher stops, or ends.
 *
 * basic needs: landlock 6
 * expect: AC
 */
#include "bare.h"

static int play(void) {
    long parent = CALL(__NR_getppid);
    /* An init of a process namespace lets signals pass by unseen. */
    if (parent == 1) {
        signal_to(parent, SIGSTOP), signal_to(parent, SIGKILL);
        return 0;
    }
    MUST_FAIL(CALL(__NR_kill, parent, SIGSTOP));
    MUST_FAIL(CALL(__NR_kill, parent, SIGKILL));
    return 0;
}
