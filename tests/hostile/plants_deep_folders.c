/* Leaves folders a thousand deep, so that their path is longer than any that the kernel accepts. Success: the judge fails to
 * remove them, or runs out of stack or descriptors over it.
 *
 * limits: cpu 3000 ms, wall 6000 ms
 * then: find_files
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    for (int level = 0; level < 1000; level++)
        if (CALL(__NR_mkdirat, AT_FDCWD, "deep-deep-deep", 0700) < 0 || CALL(__NR_chdir, "deep-deep-deep") < 0) break;
    close_file(open_file("file", O_WRONLY | O_CREAT));
    CALL(__NR_fchmodat, AT_FDCWD, ".", 0);
    return 0;
}
