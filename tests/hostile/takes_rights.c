/* Removes all permissions of the folder of programs, of the one above it, and of its own program: where runs have the judge's
 * own user, right programs after it would get CE and RE. Success: the permissions of one can be changed.
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

static int attack(void) {
    char path[4200];
    take(hint("PROGRAMS"));
    take(joined(path, hint("PROGRAMS"), ".."));
    take(joined(path, hint("PROGRAMS"), "honest"));
    take(arguments[0]);
    return 0;
}
