/* Opens userfaultfd, by which a program holds the kernel up in the middle of its work: half of all exploits use it. Success: it
 * gets one, even for faults of its own only.
 *
 * expect: AC
 */
#include "bare.h"

static int play(void) {
    MUST_FAIL(CALL(__NR_userfaultfd, 0));
    MUST_FAIL(CALL(__NR_userfaultfd, 1 /* user mode only */));
    long device = open_file("/dev/userfaultfd", O_RDWR);
    if (device >= 0) MUST_FAIL(CALL(__NR_ioctl, device, 0xaa00, 0));
    return 0;
}
