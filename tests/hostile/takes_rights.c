/* Takes all rights from the folder that holds all programs, from the one around it, and from its own program: where runs are the
 * judge's own user, right programs behind it would earn CE and RE. Success: one of them is taken.
 *
 * expect: AC
 */
#include "bare.h"

static void take(const char *path) {
    MUST_FAIL(CALL(__NR_fchmodat, AT_FDCWD, path, 0));
    MUST_FAIL(CALL(452 /* fchmodat2 */, AT_FDCWD, path, 0, 0));
    MUST_FAIL(CALL(__NR_fchownat, AT_FDCWD, path, 65534, 65534, 0));
    long file = open_file(path, O_RDONLY);
    if (file >= 0) MUST_FAIL(CALL(__NR_fchmod, file, 0));
}

static int play(void) {
    char path[4200];
    take(hint("PROGRAMS"));
    take(joined(path, hint("PROGRAMS"), ".."));
    take(joined(path, hint("PROGRAMS"), "honest"));
    take(arguments[0]);
    return 0;
}
