/* Looks for the keys that plants_keys.c left, and uses keyrings in all other ways. Success: it finds one, or a call
 * is not refused.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    MUST_FAIL(CALL(__NR_request_key, "user", "hostile", 0, 0));
    long key = CALL(__NR_keyctl, 10 /* search */, -4, "user", "hostile", 0);
    must_fail("a key of an earlier run", key);
    if (key >= 0) CALL(__NR_keyctl, 9 /* unlink */, key, -4);
    MUST_FAIL(CALL(__NR_keyctl, 0 /* get the id */, -4, 1));
    MUST_FAIL(CALL(__NR_keyctl, 1 /* join a session */, "hostile"));
    return 0;
}
