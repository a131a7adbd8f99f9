/* Fills 128 MiB with files in its scratch folder, each as large as a file may be. Success: it holds twice its memory limit,
 * in memory or on the judge's disk (then it says so).
 *
 * limits: cpu 3000 ms, wall 6000 ms
 * unconfined: succeeds
 * expect: MLE|AC
 * expect basic: RE:1 (the scratch folder is on a disk, and nothing limits the sum of its files)
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16];
    char name[32];
    for (long count = 0; count < 128; count++) {
        long file = open_file(numbered(name, "hoard-", count, ""), O_WRONLY | O_CREAT);
        for (int at = 0; at < 16; at++)
            if (CALL(__NR_write, file, block, sizeof block) != sizeof block) return 0;
    }
    hole("files of so many bytes", 128 * MIB);
    return 0;
}
