/* Opens process descriptors of the judge, the launcher, its parent and process 1, copies files out of them and signals them by
 * those. Success: a file, or a signal.
 *
 * basic needs: landlock 6
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static void take(const char *what, long process) {
    long handle = CALL(434 /* pidfd_open */, process, 0);
    must_fail(what, handle < 0 ? handle : -EPERM);
    if (handle < 0) return;
    for (int file = 0; file < 16; file++) must_fail(what, CALL(438 /* pidfd_getfd */, handle, file, 0));
    if (process != 1) must_fail(what, CALL(424 /* pidfd_send_signal */, handle, 0, 0, 0));
    must_fail(what, CALL(440 /* process_madvise */, handle, 0, 0, 20 /* cold */, 0) > 0 ? 1 : -EPERM);
}

static int attack(void) {
    take("the judge", number_in(hint("JUDGE")));
    take("the launcher", number_in(hint("LAUNCHER")));
    take("the parent", CALL(__NR_getppid));
    take("process 1", 1);
    return 0;
}
