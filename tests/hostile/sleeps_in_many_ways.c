/* Waits in eight processes in eight ways: pause, poll, select, a futex, an empty pipe, a signal, a child that does
 * not end, a lock that it holds itself. Success: one of them outlasts the run.
 *
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"

static int attack(void) {
    int pipe[2], word = 0, *shared = (int *)map(4096, MAP_SHARED);
    unsigned long all = ~0UL;
    char byte;
    CALL(__NR_pipe2, pipe, 0);
    if (split() == 0) CALL(__NR_ppoll, 0, 0, 0, 0, 8);
    if (split() == 0) CALL(__NR_pselect6, 0, 0, 0, 0, 0, 0);
    if (split() == 0) CALL(__NR_futex, &word, 0, 0, 0);
    if (split() == 0) CALL(__NR_futex, shared, 0, 0, 0);
    if (split() == 0) CALL(__NR_read, pipe[0], &byte, 1);
    if (split() == 0) CALL(__NR_rt_sigtimedwait, &all, 0, 0, 8);
    if (split() == 0) CALL(__NR_wait4, -1, 0, 0, 0), sleep_for_ever();
    if (split() == 0) CALL(__NR_fcntl, 1, F_SETLKW, 0), sleep_for_ever();
    CALL(__NR_ppoll, 0, 0, 0, 0, 8);
    return 0;
}
