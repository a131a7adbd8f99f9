/* Tries to change its own program, and another team's. Success: the next case is judged with another program.
 *
 * expect: AC
 */
#include "bare.h"

static void change(const char *file) {
    MUST_FAIL(open_file(file, O_RDWR));
    MUST_FAIL(CALL(__NR_truncate, file, 3));
    MUST_FAIL(CALL(__NR_unlinkat, AT_FDCWD, file, 0));
    MUST_FAIL(open_file("/proc/self/exe", O_RDWR));
}

static int attack(void) {
    char other[4200];
    change(arguments[0]);
    change(joined(other, hint("PROGRAMS"), "honest"));
    return 0;
}
