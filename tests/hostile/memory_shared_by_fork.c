/* Fills 40 MiB and starts three children that only read it: no attack, because the pages are the same. Success: it is charged
 * for four times as much.
 *
 * expect: AC
 * expect user: AC|MLE (without a control group a page of several processes may count for each)
 * expect basic: AC|MLE (without a control group a page of several processes may count for each)
 */
#include "bare.h"

static int attack(void) {
    touch(map(40 * MIB, MAP_PRIVATE), 40 * MIB);
    for (int child = 0; child < 3; child++)
        if (split() == 0) {
            nap_ms(100);
            leave(0);
        }
    while (wait_for(-1, 0) > 0) {
    }
    return 0;
}
