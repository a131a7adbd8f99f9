/* Asks its namespaces, mounts and sockets for numbers that the kernel assigns in order and only once. The process namespace
 * is new in each run and the others belong to the slot, so the difference is the number of runs so far. Success: it learns one.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    unsigned long number = 0;
    long self = CALL(__NR_pidfd_open, CALL(__NR_getpid), 0);
    for (int kind = 1; kind <= 10; kind++) {
        long file = CALL(__NR_ioctl, self, 0xff00 + kind, 0);
        if (file < 0) continue;
        hole("a namespace", kind);
        MUST_FAIL(CALL(__NR_ioctl, file, 0x8008b70d, &number));
    }
    char found[256] = {0};
    if (CALL(__NR_statx, AT_FDCWD, "/", 0, 0x4000, found) >= 0 && *(unsigned *)found & 0x4000) hole("a mount's number", 0);
    int pair[2], size = 8;
    if (CALL(__NR_socketpair, 1, 1, 0, pair) < 0) return 0;
    MUST_FAIL(CALL(__NR_getsockopt, pair[0], 1, 57, &number, &size));
    MUST_FAIL(CALL(__NR_getsockopt, pair[0], 1, 71, &number, &size));
    return 0;
}
