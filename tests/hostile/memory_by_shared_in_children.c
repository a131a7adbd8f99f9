/* Fills 32 MiB of shared memory in each of four children, whose pages no other process has. Success: the
 * memory of each is taken for that of another process.
 *
 * expect: MLE
 * expect user: MLE|AC (without a control group, shared memory of children may count as another's)
 * expect basic: AC (not seen: shared memory of children counts as another's)
 */
#include "bare.h"

static int attack(void) {
    for (int child = 0; child < 4; child++)
        if (split() == 0) {
            touch(map(32 * MIB, MAP_SHARED), 32 * MIB);
            nap_ms(100);
            leave(0);
        }
    while (wait_for(-1, 0) > 0) {
    }
    return 0;
}
