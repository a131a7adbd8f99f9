/* Uses 48 MiB of its 64, and ends well: no attack, but a limit that is too strict would stop it. Success: it is blamed.
 *
 * expect: AC
 * at least: memory 47 MiB
 */
#include "bare.h"

static int attack(void) {
    touch(map(48 * MIB, MAP_PRIVATE), 48 * MIB);
    return 0;
}
