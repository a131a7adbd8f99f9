/* Fills memory by mapping it, piece by piece. Success: it gets more than its limit, or is reported to have crashed.
 *
 * expect: MLE
 */
#include "bare.h"

static int attack(void) {
    for (;;) {
        char *piece = map(MIB, MAP_PRIVATE);
        if (is_error(piece)) return 0;
        touch(piece, MIB);
    }
}
