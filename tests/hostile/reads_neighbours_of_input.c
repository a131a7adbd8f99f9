/* Looks for the answer beside its standard input, as `1.ans` beside `1.in`: by the name of the descriptor, through it as a
 * folder, and in the folder that it works in. Success: its input has a name, or a neighbour.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char target[4096] = "";
    long size = CALL(__NR_readlinkat, AT_FDCWD, "/proc/self/fd/0", target, sizeof target - 1);
    if (size > 3 && starts_with(target + size - 3, ".in")) hole("the name of its input", size);
    const char *names[] = {"1.ans", "../1.ans", "../cases/1.ans", "/proc/self/fd/0/../1.ans", "/dev/fd/0/../1.ans",
                           "/proc/self/fd/../cwd/../1.ans", "/dev/stdin/../1.ans"};
    for (int at = 0; at < 7; at++) MUST_FAIL(open_file(names[at], O_RDONLY));
    for (int stream = 0; stream < 3; stream++) {
        MUST_FAIL(CALL(__NR_openat, stream, "../1.ans", O_RDONLY, 0));
        MUST_FAIL(CALL(__NR_openat, stream, "1.ans", O_RDONLY, 0));
        MUST_FAIL(CALL(__NR_fchdir, stream));
    }
    return 0;
}
