/* Leaves keys in the kernel's keyrings of its user and its session, which outlive it. Success: see find_keys.c, which runs next.
 *
 * then: find_keys
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    MUST_FAIL(CALL(__NR_add_key, "user", "hostile", "answer", 6, -4 /* the user's keyring */));
    MUST_FAIL(CALL(__NR_add_key, "user", "hostile", "answer", 6, -3 /* the session's */));
    return 0;
}
