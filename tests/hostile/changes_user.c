/* Tries to become root, or another user, by all calls for that, and to give itself capabilities. Success: one of them.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    unsigned int other = 0, group = 0, one[1] = {0};
    /* In a user namespace it may have root's number already. */
    if (CALL(__NR_getuid) == 0) other = 1;
    if (CALL(__NR_getgid) == 0) group = 1;
    MUST_FAIL(CALL(__NR_setuid, other));
    MUST_FAIL(CALL(__NR_setreuid, other, other));
    MUST_FAIL(CALL(__NR_setresuid, -1, other, -1));
    MUST_FAIL(CALL(__NR_setgid, group));
    MUST_FAIL(CALL(__NR_setregid, group, group));
    MUST_FAIL(CALL(__NR_setresgid, -1, group, -1));
    MUST_FAIL(CALL(__NR_setgroups, 1, one));
    CALL(__NR_setfsuid, other);
    if (CALL(__NR_setfsuid, -1) == other) hole("setfsuid", other);
    unsigned int header[2] = {0x20080522, 0}, sets[6] = {~0U, ~0U, ~0U, ~0U, ~0U, ~0U};
    MUST_FAIL(CALL(__NR_capset, header, sets));
    return 0;
}
