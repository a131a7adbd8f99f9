/* Leaves a thousand empty files. Success: cleaning up costs the judge much memory, or the next run time.
 *
 * limits: cpu 3000 ms, wall 6000 ms
 * then: find_files
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char name[32];
    for (long number = 0; number < 1000; number++)
        close_file(open_file(numbered(name, "file-", number, ""), O_WRONLY | O_CREAT));
    return 0;
}
