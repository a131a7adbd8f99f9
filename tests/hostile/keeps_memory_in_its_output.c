/* Gives itself the right to read its own output, which is in memory, and keeps 100 MiB there. Success: they are not
 * counted, because output is not memory.
 *
 * limits: memory 64 MiB, output 128 MiB, cpu 3000 ms, wall 6000 ms
 * expect: RE:3 (it is not the owner)
 * expect user: RE:3|MLE (where the judge is not root it is the owner, and counts as if it found a name to open it anew by)
 * expect shared: MLE|RE:3 (it is the owner, and so the file counts as memory, unless the right is refused)
 */
#include "bare.h"

static int attack(void) {
    static char block[1 << 16], found[1 << 16];
    for (long at = 0; at < 100 * MIB; at += sizeof block) {
        block[0] = at >> 16;
        if (CALL(__NR_write, 1, block, sizeof block) != sizeof block) return 2;
    }
    CALL(__NR_fchmod, 1, 0666);
    long file = open_file("/proc/self/fd/1", O_RDWR);
    CALL(__NR_fchmod, 1, 0222);
    if (file < 0) return 3;
    for (long at = 0; at < 100 * MIB; at += sizeof found) {
        if (CALL(__NR_pread64, file, found, sizeof found, at) != sizeof found) return 4;
        if (found[0] != (char)(at >> 16)) return 5;
    }
    return 0;
}
