/* Reads and writes the memory of its parent, the launcher and a child of its own by process_vm_readv and process_vm_writev, and
 * compares their descriptor tables by kcmp. Success: one of them.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static char there[16] = "secret";

static void reach(const char *what, long process) {
    char here[16];
    struct {
        void *start;
        long size;
    } ours = {here, 8}, theirs = {there, 8};
    must_fail(what, CALL(__NR_process_vm_readv, process, &ours, 1, &theirs, 1, 0));
    must_fail(what, CALL(__NR_kcmp, process, process, 2 /* descriptor tables */, 0, 0));
}

static int attack(void) {
    long child = split();
    if (child == 0) sleep_for_ever();
    reach("a child's memory", child);
    /* Writing needs the same permission as reading, so that a harmless attempt is enough. */
    struct {
        void *start;
        long size;
    } ours = {there, 8}, theirs = {there, 8};
    MUST_FAIL(CALL(__NR_process_vm_writev, child, &ours, 1, &theirs, 1, 0));
    reach("the parent's memory", CALL(__NR_getppid));
    reach("the launcher's memory", number_in(hint("LAUNCHER")));
    reach("the judge's memory", number_in(hint("JUDGE")));
    signal_to(child, SIGKILL);
    return 0;
}
