/* Changes its root, to climb out of one that it was given. Success: chroot works.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    CALL(__NR_mkdirat, AT_FDCWD, "jail", 0700);
    MUST_FAIL(CALL(__NR_chroot, "jail"));
    MUST_FAIL(CALL(__NR_chroot, "."));
    return 0;
}
