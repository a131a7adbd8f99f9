/* Looks at its own rights. Success: a capability, a supplementary group that the judge could have taken from it, or
 * permission to gain rights by set-user programs.
 *
 * expect: AC
 */
#include "bare.h"

/* Whether the judge cannot take this group from a run: `GROUPS` lists those. */
static int stays(unsigned int group) {
    for (const char *rest = hint("GROUPS"); *rest; rest++) {
        if (number_in(rest) == group) return 1;
        while (*rest && *rest != ',') rest++;
        if (!*rest) return 0;
    }
    return 0;
}

static int attack(void) {
    unsigned int header[2] = {0x20080522, 0}, sets[6] = {0}, groups[256];
    CALL(__NR_capget, header, sets);
    for (int at = 0; at < 6; at++)
        if (sets[at]) hole("a capability", sets[at]);
    if (CALL(__NR_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) hole("leave to gain rights", 0);
    long count = CALL(__NR_getgroups, 256, groups);
    for (long at = 0; at < count; at++)
        if (!stays(groups[at])) hole("a group", groups[at]);
    MUST_FAIL(CALL(__NR_prctl, 47 /* PR_CAP_AMBIENT */, 2 /* raise */, 21, 0, 0));
    return 0;
}
