/* Opens userfaultfd, by which a program can stop the kernel in the middle of its work, as many exploits do. Success: it gets
 * one, even if only for faults in user mode.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    MUST_FAIL(CALL(__NR_userfaultfd, 0));
    MUST_FAIL(CALL(__NR_userfaultfd, 1 /* user mode only */));
    long device = open_file("/dev/userfaultfd", O_RDWR);
    if (device >= 0) MUST_FAIL(CALL(__NR_ioctl, device, 0xaa00, 0));
    return 0;
}
