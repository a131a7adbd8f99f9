/* Holds memory in the buffers of socket pairs that are not read. Success: the contents of sockets are not counted.
 *
 * expect: MLE|AC
 * expect basic: AC (not seen, if it is not refused: contents of sockets)
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 15];
    touch(map(32 * MIB, MAP_PRIVATE), 32 * MIB);
    for (int count = 0; count < 400; count++) {
        int pair[2];
        if (CALL(__NR_socketpair, 1, 1 | O_NONBLOCK, 0, pair) < 0) return 0;
        while (CALL(__NR_write, pair[1], block, sizeof block) > 0) {
        }
    }
    return 0;
}
