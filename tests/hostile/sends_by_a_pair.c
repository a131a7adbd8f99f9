/* Uses one end of a socket pair as a socket: an end for datagrams can be given a name, and can send to any name. Also asks for
 * pairs of other families, which load further parts of the kernel. Success: it gets one.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    int pair[2];
    struct { unsigned short family; char name[14]; } any = {1, "\0hostile"};
    if (CALL(__NR_socketpair, 1, 2, 0, pair) >= 0) {
        hole("a pair for datagrams", 0);
        MUST_FAIL(CALL(__NR_bind, pair[0], &any, sizeof any));
    }
    MUST_FAIL(CALL(__NR_socketpair, 1, 3 | 02000000, 0, pair));
    for (int family = 2; family < 46; family++)
        if (CALL(__NR_socketpair, family, 1, 0, pair) != -EACCES) hole("another family is not refused", family);
    return 0;
}
