/* Changes modes, times and attributes of files that are not its own: Landlock, which confines files at level basic, has no
 * rule about these. Success: the judge could no longer read the answer, or no longer run the program. (It restores what it
 * has changed.)
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static void change(const char *file) {
    char stat[256] = {0};
    CALL(__NR_statx, AT_FDCWD, file, 0, 0xfff, stat);
    int mode = *(unsigned short *)(stat + 28) & 07777;
    if (CALL(__NR_fchmodat, AT_FDCWD, file, 0) >= 0) {
        hole("changing the mode", mode);
        CALL(__NR_fchmodat, AT_FDCWD, file, mode);
    }
    MUST_FAIL(CALL(452 /* fchmodat2 */, AT_FDCWD, file, mode, 0));
    if (CALL(__NR_utimensat, AT_FDCWD, file, 0, 0) >= 0) hole("changing the times", 0);
    if (CALL(__NR_setxattr, file, "user.hostile", "x", 1, 0) >= 0) {
        hole("setting an attribute", 0);
        CALL(__NR_removexattr, file, "user.hostile");
    }
}

static int attack(void) {
    change(hint("ANSWER"));
    change(hint("CONFIG"));
    change(arguments[0]);
    return 0;
}
