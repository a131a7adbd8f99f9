/* Traces its parent, the judge, its launcher and a child of its own by ptrace, and asks its parent to trace it. Success: one of
 * them: a tracer controls the traced process, and a traced one stops at each signal, so that its launcher would wait in vain.
 *
 * expect: AC
 */
#include "bare.h"

static void trace(const char *what, long process) {
    must_fail(what, CALL(__NR_ptrace, 16 /* ATTACH */, process, 0, 0));
    must_fail(what, CALL(__NR_ptrace, 0x4206 /* SEIZE */, process, 0, 0));
}

static int attack(void) {
    long child = split();
    if (child == 0) sleep_for_ever();
    trace("a child", child);
    if (CALL(__NR_getppid) > 1) trace("the parent", CALL(__NR_getppid));
    if (number_in(hint("LAUNCHER"))) trace("the launcher", number_in(hint("LAUNCHER")));
    if (split() == 0) leave(CALL(__NR_ptrace, 0 /* TRACEME */, 0, 0, 0) >= 0 ? 3 : 0);
    int status = 0;
    CALL(__NR_kill, child, SIGKILL);
    while (wait_for(-1, &status) > 0)
        if (status == 3 << 8) hole("being traced", status);
    return 0;
}
