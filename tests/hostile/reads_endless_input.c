/* Reads from a pipe of its own whose writing end it keeps open. Success: it blocks for ever, as a read of an interactive
 * judge's input would.
 *
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"

static int attack(void) {
    int pipe[2];
    char byte;
    CALL(__NR_pipe2, pipe, 0);
    CALL(__NR_dup3, pipe[0], 0, 0);
    return CALL(__NR_read, 0, &byte, 1) < 0 ? 2 : 3;
}
