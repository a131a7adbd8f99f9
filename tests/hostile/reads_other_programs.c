/* Lists the folder of programs and reads another team's. Success: it could copy a right program.
 *
 * basic needs: landlock 1
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char path[4200];
    const char *programs = hint("PROGRAMS");
    MUST_FAIL(open_file(programs, O_RDONLY | O_DIRECTORY));
    MUST_FAIL(open_file(joined(path, programs, "steady"), O_RDONLY));
    MUST_FAIL(open_file(joined(path, programs, "../programs/steady"), O_RDONLY));
    MUST_FAIL(open_file(joined(path, programs, ".."), O_RDONLY | O_DIRECTORY));
    MUST_FAIL(CALL(__NR_execve, joined(path, programs, "honest"), arguments, environment));
    return 0;
}
