/* Stops and kills its parent: the launcher, or a process between them. Success: the launcher stops, or ends.
 *
 * basic needs: landlock 6
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    long parent = CALL(__NR_getppid);
    /* A parent outside of its process namespace has no number; 0 would be its own process group. */
    if (parent == 0) return 0;
    /* An init of a process namespace ignores signals. */
    if (parent == 1) {
        signal_to(parent, SIGSTOP), signal_to(parent, SIGKILL);
        return 0;
    }
    MUST_FAIL(CALL(__NR_kill, parent, SIGSTOP));
    MUST_FAIL(CALL(__NR_kill, parent, SIGKILL));
    return 0;
}
