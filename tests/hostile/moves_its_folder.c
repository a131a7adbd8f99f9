/* Moves its scratch folder away, removes it and puts a link to the judge's folder in its place. Success: the judge cleans up
 * somewhere else, or the next run works there.
 *
 * then: find_files
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char beside[4200], parent[4200];
    const char *home = hint("HOME");
    joined(beside, home, "../elsewhere");
    joined(parent, home, "..");
    /* Removing the folder itself is no hole: what matters is what the next run finds. */
    MUST_FAIL(CALL(__NR_renameat2, AT_FDCWD, home, AT_FDCWD, beside, 0));
    MUST_FAIL(CALL(__NR_unlinkat, AT_FDCWD, home, AT_REMOVEDIR));
    MUST_FAIL(CALL(__NR_symlinkat, parent, AT_FDCWD, home));
    MUST_FAIL(CALL(__NR_renameat2, AT_FDCWD, ".", AT_FDCWD, "..", 0));
    return 0;
}
