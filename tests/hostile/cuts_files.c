/* Truncates the judge's files by their paths, which needs no open file: Landlock before its version 3 has no rule about it.
 * Success: a call is not refused. (It could not restore what it cuts, so it truncates each file to its present length.)
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

/* Truncates to the present length: if that is allowed, so is any other. */
static void cut(const char *file) {
    char stat[256] = {0};
    CALL(__NR_statx, AT_FDCWD, file, 0, 0xfff, stat);
    MUST_FAIL(CALL(__NR_truncate, file, *(long *)(stat + 40)));
}

static int attack(void) {
    cut(hint("ANSWER"));
    cut(hint("INPUT"));
    cut(hint("CONFIG"));
    return 0;
}
