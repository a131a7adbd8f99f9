/* Writes to a pipe without a reader. Success: its end is reported as something other than SIGPIPE.
 *
 * expect: RE:SIGPIPE
 */
#include "bare.h"

static int attack(void) {
    int pipe[2];
    CALL(__NR_pipe2, pipe, 0);
    close_file(pipe[0]);
    CALL(__NR_write, pipe[1], "x", 1);
    return 0;
}
