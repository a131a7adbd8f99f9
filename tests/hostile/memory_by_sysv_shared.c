/* Fills 128 MiB of System V shared memory, and detaches each piece when it is full. Success: it gets all of it, and is not
 * blamed. (It marks each piece to be removed.)
 *
 * unconfined: succeeds
 * expect: AC|MLE
 */
#include "bare.h"

static int attack(void) {
    for (int piece = 0; piece < 16; piece++) {
        long segment = CALL(__NR_shmget, 0, 8 * MIB, 01600);
        if (segment < 0) return 0;
        char *memory = (char *)CALL(__NR_shmat, segment, 0, 0);
        if (!is_error(memory)) touch(memory, 8 * MIB);
        CALL(__NR_shmdt, memory);
        CALL(__NR_shmctl, segment, 0, 0);
    }
    hole("System V memory", 1);
    return 0;
}
