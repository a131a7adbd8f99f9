/* Enters the namespaces of other processes, by their files in /proc and by descriptors of the processes. Success: it enters
 * one: the answer is in the judge's mount namespace.
 *
 * expect: AC
 */
#include "bare.h"

static void enter(long process) {
    const char *kinds[] = {"/ns/mnt", "/ns/user", "/ns/net", "/ns/pid", "/ns/ipc", "/ns/uts", "/ns/cgroup"};
    char path[64];
    for (int at = 0; at < 7; at++) {
        long file = open_file(numbered(path, "/proc/", process, kinds[at]), O_RDONLY);
        must_fail(path, file < 0 ? file : CALL(__NR_setns, file, 0));
    }
    long handle = CALL(434 /* pidfd_open */, process, 0);
    must_fail("by a descriptor", handle < 0 ? handle : CALL(__NR_setns, handle, 0x40000000 | 0x08000000));
}

static int attack(void) {
    enter(1);
    enter(CALL(__NR_getppid));
    enter(number_in(hint("JUDGE")));
    return 0;
}
