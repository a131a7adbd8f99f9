/* Makes devices in its scratch folder: the machine's memory, disks, a terminal. Success: one exists and can be opened.
 *
 * expect: AC
 */
#include "bare.h"

static void make(const char *name, int kind, long device) {
    if (CALL(__NR_mknodat, AT_FDCWD, name, kind | 0666, device) < 0) return;
    must_fail(name, open_file(name, O_RDWR));
    hole("a device", device);
}

static int attack(void) {
    make("memory", S_IFCHR, 1 << 8 | 1);
    make("null", S_IFCHR, 1 << 8 | 3);
    make("terminal", S_IFCHR, 5 << 8);
    make("disk", S_IFBLK, 8 << 8);
    make("virtual", S_IFBLK, 254 << 8);
    return 0;
}
