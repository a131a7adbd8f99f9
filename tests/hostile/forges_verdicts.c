/* Writes a verdict into the cache of trials: into an existing file, into a new one, and by another name for the folder.
 * Success: the next judge could read it. Reading the verdicts of others is a success as well.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static void forge(const char *folder) {
    char known[4200], new[4200];
    joined(known, folder, "trials-0"), joined(new, folder, "trials-1");
    MUST_FAIL(open_file(known, O_RDONLY));
    MUST_FAIL(open_file(known, O_WRONLY | O_APPEND));
    MUST_FAIL(open_file(new, O_WRONLY | O_CREAT));
    CALL(__NR_unlinkat, AT_FDCWD, new, 0);
    MUST_FAIL(CALL(__NR_symlinkat, "trials-0", AT_FDCWD, new));
    CALL(__NR_unlinkat, AT_FDCWD, new, 0);
    MUST_FAIL(CALL(__NR_truncate, known, 0));
}

static int attack(void) {
    char name[64], other[4300];
    const char *cache = hint("CACHE");
    forge(cache);
    joined(other, "/proc/self/root", cache + 1);
    forge(other);
    joined(other, numbered(name, "/proc/", number_in(hint("JUDGE")), "/root"), cache + 1);
    forge(other);
    return 0;
}
