/* Fills memory in eight children, each of which keeps the limit. Success: only the largest process is counted.
 *
 * expect: MLE
 */
#include "bare.h"

static int attack(void) {
    for (int child = 0; child < 8; child++)
        if (split() == 0) {
            touch(map(16 * MIB, MAP_PRIVATE), 16 * MIB);
            sleep_for_ever();
        }
    sleep_for_ever();
}
