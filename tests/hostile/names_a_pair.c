/* Gives an end of a pair of sockets a name, has the kernel give it one, and asks whether a name is taken: at level basic all runs
 * share the names of the machine. Success: one of these works.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    static const int kinds[] = {1 /* stream */, 5 /* seqpacket */};
    struct { unsigned short family; char name[14]; } name = {1, "\0hostile-name"};
    for (int kind = 0; kind < 2; kind++) {
        int pair[2], one = 1;
        if (CALL(__NR_socketpair, 1, kinds[kind], 0, pair) < 0) return 0;
        MUST_FAIL(CALL(__NR_setsockopt, pair[1], 1, 16 /* SO_PASSCRED */, &one, sizeof one));
        if (CALL(__NR_connect, pair[0], &name, sizeof name) != -EACCES) hole("asking for a name is not refused", kind);
        MUST_FAIL(CALL(__NR_bind, pair[0], &name, sizeof name));
    }
    return 0;
}
