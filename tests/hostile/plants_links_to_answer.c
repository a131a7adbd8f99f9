/* Makes symbolic and hard links to the answer and to a file of passwords in its own folder, and reads through them. Success:
 * a file that cannot be opened by one name can be opened by another.
 *
 * then: find_files
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static void read_by_link(const char *target) {
    CALL(__NR_symlinkat, target, AT_FDCWD, "soft");
    MUST_FAIL(open_file("soft", O_RDONLY));
    MUST_FAIL(CALL(__NR_linkat, AT_FDCWD, target, AT_FDCWD, "hard", 0));
    MUST_FAIL(CALL(__NR_linkat, AT_FDCWD, "soft", AT_FDCWD, "harder", AT_SYMLINK_FOLLOW));
    MUST_FAIL(CALL(__NR_renameat2, AT_FDCWD, "soft", AT_FDCWD, target, 0));
    CALL(__NR_unlinkat, AT_FDCWD, "soft", 0);
}

static int attack(void) {
    read_by_link(hint("ANSWER"));
    return 0;
}
