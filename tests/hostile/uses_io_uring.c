/* Sets up an io_uring, through which files and sockets are used without the system calls that a filter sees. Success: it
 * gets one.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char parameters[120] = {0};
    MUST_FAIL(CALL(425 /* io_uring_setup */, 4, parameters));
    MUST_FAIL(CALL(427 /* io_uring_register */, -1, 8, parameters, 0));
    return 0;
}
