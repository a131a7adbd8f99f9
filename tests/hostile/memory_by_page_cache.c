/* Reads the system's libraries and programs, as far as it sees any, so that they are in the machine's memory: no attack.
 * Success: it is charged for pages that the kernel caches.
 *
 * limits: cpu 3000 ms, wall 6000 ms
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    static char entries[1 << 15], block[1 << 16];
    char path[600];
    long left = 128 * MIB, got, some;
    const char *folder = "/usr/bin";
    long list = open_file(folder, O_RDONLY | O_DIRECTORY);
    while (left > 0 && (got = CALL(__NR_getdents64, list, entries, sizeof entries)) > 0)
        for (char *at = entries; at < entries + got && left > 0; at += *(unsigned short *)(at + 16)) {
            long file = open_file(joined(path, folder, at + 19), O_RDONLY);
            while (left > 0 && (some = CALL(__NR_read, file, block, sizeof block)) > 0) left -= some;
            close_file(file);
        }
    return 0;
}
