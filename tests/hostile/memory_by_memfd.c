/* Fills 128 MiB in files in memory, each as large as a file may be. Success: it holds twice its limit.
 *
 * expect: MLE
 * expect user: MLE|AC (without a control group, files in memory are not seen)
 * expect basic: AC (not seen: memory of files in memory)
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16];
    for (long count = 0; count < 128; count++) {
        long file = CALL(__NR_memfd_create, "hoard", 0);
        for (int at = 0; at < 16; at++) CALL(__NR_write, file, block, sizeof block);
    }
    return 0;
}
