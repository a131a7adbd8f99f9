/* Types into terminals: pushes characters into its streams, into the controlling terminal and into one that it creates itself,
 * which a shell would then read as commands. Success: one is accepted. The error that a file is no terminal counts as a success
 * as well: the next judge may be started from one.
 *
 * expect: AC
 */
#include "bare.h"

static void push(const char *what, long file, long request) {
    char character[8] = "x";
    long result = CALL(__NR_ioctl, file, request, character);
    if (result >= 0 || result == -ENOTTY) hole(what, result);
}

static int attack(void) {
    for (int stream = 0; stream < 3; stream++) {
        push("TIOCSTI", stream, 0x5412);
        push("TIOCLINUX", stream, 0x541c);
        /* The kernel uses only the lower half of a request; a filter that compares all of it is deceived. */
        push("TIOCSTI with a bit above", stream, 0x5412L | 1L << 32);
    }
    MUST_FAIL(open_file("/dev/tty", O_RDWR));
    MUST_FAIL(open_file("/dev/ptmx", O_RDWR | O_NOCTTY));
    return 0;
}
