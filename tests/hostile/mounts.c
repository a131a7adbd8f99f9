/* Mounts and unmounts, in the old way and the new, changes existing mounts, and moves the root. Success: one of them.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    CALL(__NR_mkdirat, AT_FDCWD, "point", 0700);
    MUST_FAIL(CALL(__NR_mount, "none", "point", "tmpfs", 0, 0));
    MUST_FAIL(CALL(__NR_mount, "none", "point", "proc", 0, 0));
    MUST_FAIL(CALL(__NR_mount, "/", "point", 0, 4096 /* bind */, 0));
    MUST_FAIL(CALL(__NR_mount, 0, "/", 0, 32 | 1 << 18 /* remount, private */, 0));
    MUST_FAIL(CALL(__NR_umount2, "/proc", 2));
    MUST_FAIL(CALL(__NR_umount2, "/", 2));
    MUST_FAIL(CALL(430 /* fsopen */, "tmpfs", 0));
    MUST_FAIL(CALL(433 /* fspick */, AT_FDCWD, "/", 0));
    long tree = CALL(428 /* open_tree */, AT_FDCWD, "/", 1 /* a clone */);
    must_fail("open_tree", tree);
    MUST_FAIL(CALL(429 /* move_mount */, AT_FDCWD, "/", AT_FDCWD, "point", 0));
    unsigned long attributes[4] = {1, 0, 0, 0};
    MUST_FAIL(CALL(442 /* mount_setattr */, AT_FDCWD, "/", 0, attributes, sizeof attributes));
    MUST_FAIL(CALL(__NR_pivot_root, ".", "."));
    return 0;
}
