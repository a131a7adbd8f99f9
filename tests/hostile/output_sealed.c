/* Seals its output, so that nothing can write to it any more, and maps it for writing. Success: a file that the judge would
 * use again is unusable, or changes after the end.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    CALL(__NR_write, 1, "x", 1);
    MUST_FAIL(CALL(__NR_fcntl, 1, 1033 /* F_ADD_SEALS */, 2 | 4 | 8));
    char *mapped = (char *)CALL(__NR_mmap, 0, 4096, PROT_WRITE, MAP_SHARED, 1, 0);
    if (!is_error(mapped)) hole("mapping the output", 0);
    return 0;
}
