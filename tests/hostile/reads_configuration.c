/* Reads the judge's configuration, and lists the folders that it keeps its cases, its private files and its launcher in.
 * Success: it learns where everything is.
 *
 * basic needs: landlock 1
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char path[4200];
    MUST_FAIL(open_file(hint("CONFIG"), O_RDONLY));
    MUST_FAIL(open_file(hint("INPUT"), O_RDONLY));
    MUST_FAIL(open_file(joined(path, hint("CONFIG"), "../cases"), O_RDONLY));
    MUST_FAIL(open_file(joined(path, hint("ANSWER"), ".."), O_RDONLY | O_DIRECTORY));
    MUST_FAIL(open_file(joined(path, hint("PROGRAMS"), ".."), O_RDONLY | O_DIRECTORY));
    if (!is_scratch("/tmp")) MUST_FAIL(open_file("/tmp", O_RDONLY | O_DIRECTORY));
    return 0;
}
