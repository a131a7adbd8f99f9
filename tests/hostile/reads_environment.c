/* Looks through its environment for more than it was given: tokens of a server, the judge's own settings. Success: a variable
 * that it was not given.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    const char *known[] = {"PATH=", "HOSTILE_MARK=", "INPUT=", "ANSWER=", "CONFIG=", "PROGRAMS=", "JUDGE=", "LAUNCHER=", "TCP=",
                           "UDP=", "PRIORITY=", "GROUPS=", "HOME=", "TMPDIR=", "CACHE="};
    for (char **variable = environment; *variable; variable++) {
        int is_known = 0;
        for (unsigned long at = 0; at < sizeof known / sizeof *known; at++) is_known |= starts_with(*variable, known[at]);
        if (!is_known) hole(*variable, 0);
    }
    return 0;
}
