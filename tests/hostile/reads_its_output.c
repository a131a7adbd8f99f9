/* Writes, and then reads its own output through the descriptor that it was given. Success: the stream is readable, so that a
 * judge that uses the same file again would give away an earlier output.
 *
 * expect: AC
 * prints: written
 */
#include "bare.h"

static int attack(void) {
    char byte;
    say("written\n");
    if (CALL(__NR_pread64, 1, &byte, 1, 0) > 0) hole("reading its own output", byte);
    if ((CALL(__NR_fcntl, 1, F_GETFL) & O_ACCMODE) != O_WRONLY) hole("the mode of its output", 0);
    return 0;
}
