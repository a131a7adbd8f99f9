/* Fills shared memory by name, in /dev/shm, which other runs could open and which stays. Success: it can, and is not
 * blamed.
 *
 * unconfined: succeeds
 * expect: AC|MLE
 * expect full: RE:1|MLE (in its own root the folder is its own scratch folder by another name, and goes with it)
 * expect user: RE:1|MLE (in its own root the folder is its own scratch folder by another name, and goes with it)
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16];
    char name[64];
    int made = 0;
    for (long count = 0; count < 80; count++) {
        long file = open_file(numbered(name, "/dev/shm/hostile-", count, ""), O_RDWR | O_CREAT);
        for (int at = 0; at < 16; at++) made |= CALL(__NR_write, file, block, sizeof block) > 0;
        CALL(__NR_unlinkat, AT_FDCWD, name, 0);
    }
    if (made) hole("memory by name", 1);
    return 0;
}
