/* Creates each kind of namespace in each way: unshare, clone, clone3. In a user namespace of its own it would be root, and could
 * reach the parts of the kernel that only root may use. Success: it gets one.
 *
 * expect: AC
 */
#include "bare.h"

static void make(long kind, const char *name) {
    int status = 0;
    long child = split();
    if (child == 0) leave(CALL(__NR_unshare, kind) >= 0 ? 42 : 0);
    wait_for(child, &status);
    if (status == 42 << 8) hole(name, 1);
    child = CALL(__NR_clone, kind | SIGCHLD);
    if (child == 0) leave(0);
    must_fail(name, child);
    unsigned long arguments3[11] = {kind, 0, 0, 0, SIGCHLD};
    child = CALL(435 /* clone3 */, arguments3, sizeof arguments3);
    if (child == 0) leave(0);
    must_fail(name, child);
    while (wait_for(-1, 0) > 0) {
    }
}

static int attack(void) {
    make(0x10000000, "a user namespace");
    make(0x00020000, "a mount namespace");
    make(0x20000000, "a process namespace");
    make(0x40000000, "a network namespace");
    make(0x08000000, "an IPC namespace");
    make(0x04000000, "a host name namespace");
    make(0x02000000, "a control group namespace");
    make(0x10000000 | 0x00020000 | 0x20000000 | 0x40000000, "all at once");
    unsigned long times[11] = {0x80 /* a time namespace, which only clone3 creates */, 0, 0, 0, SIGCHLD};
    long child = CALL(435 /* clone3 */, times, sizeof times);
    if (child == 0) leave(0);
    must_fail("a time namespace", child);
    return 0;
}
