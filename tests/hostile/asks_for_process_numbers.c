/* Asks for descriptors of processes in every way there is. The kernel numbers them consecutively, so a run would learn how many
 * processes the machine has ever had, and could signal to the next run by starting some. Success: it gets one.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    int descriptor = -1, pair[2], size = sizeof descriptor, one = 1;
    MUST_FAIL(CALL(__NR_pidfd_open, CALL(__NR_getpid), 0));
    for (unsigned long guess = 0; guess < 3; guess++) {
        long child = CALL(__NR_clone, 0x1000 /* CLONE_PIDFD */ | SIGCHLD, 0, &descriptor, guess, guess);
        if (child == 0) leave(0);
        if (child > 0) hole("a child with a descriptor", descriptor), wait_for(child, 0);
    }
    if (CALL(__NR_socketpair, 1, 1, 0, pair) < 0) return 0;
    MUST_FAIL(CALL(__NR_getsockopt, pair[0], 1, 77 /* SO_PEERPIDFD */, &descriptor, &size));
    MUST_FAIL(CALL(__NR_setsockopt, pair[0], 1, 76 /* SO_PASSPIDFD */, &one, sizeof one));
    return 0;
}
