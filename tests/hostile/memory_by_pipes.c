/* Holds 40 MiB in memory and as much again in pipes that are not read. Success: the contents of pipes are not counted.
 *
 * expect: MLE
 * expect user: MLE|AC (without a control group, the contents of pipes are not seen)
 * expect basic: AC (not seen: contents of pipes)
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16];
    touch(map(40 * MIB, MAP_PRIVATE), 40 * MIB);
    for (int count = 0; count < 40; count++) {
        int pipe[2];
        CALL(__NR_pipe2, pipe, O_NONBLOCK);
        CALL(__NR_fcntl, pipe[1], 1031 /* F_SETPIPE_SZ */, MIB);
        while (CALL(__NR_write, pipe[1], block, sizeof block) > 0) {
        }
    }
    return 0;
}
