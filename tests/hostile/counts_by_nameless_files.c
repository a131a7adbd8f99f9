/* Creates files without a name in its folder. They leave no trace there but use up an inode number each: a counter of runs,
 * and of whatever one run wants to tell the next. Success: it creates one.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    MUST_FAIL(open_file(".", O_RDWR | O_TMPFILE));
    MUST_FAIL(CALL(__NR_openat, AT_FDCWD, ".", O_WRONLY | O_TMPFILE | O_EXCL, 0600));
#ifdef __NR_open
    MUST_FAIL(CALL(__NR_open, ".", O_RDWR | O_TMPFILE, 0600));
#endif
    unsigned long how[3] = {O_RDWR | O_TMPFILE, 0600, 0};
    MUST_FAIL(CALL(__NR_openat2, AT_FDCWD, ".", how, sizeof how));
    return 0;
}
