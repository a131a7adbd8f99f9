/* Cuts off the judge's files by their paths, which takes no open file: Landlock before its version 3 has no word on it.
 * Success: one of them is shorter. (What it has cut it cannot give back, so it cuts where there is nothing.)
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

/* To the length that it has, which says as well whether it could be another. */
static void cut(const char *file) {
    char stat[256] = {0};
    CALL(__NR_statx, AT_FDCWD, file, 0, 0xfff, stat);
    MUST_FAIL(CALL(__NR_truncate, file, *(long *)(stat + 40)));
}

static int play(void) {
    cut(hint("ANSWER"));
    cut(hint("INPUT"));
    cut(hint("CONFIG"));
    return 0;
}
