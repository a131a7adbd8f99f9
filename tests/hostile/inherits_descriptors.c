/* Looks for descriptors that the judge or its launcher forgot to close: sockets to the judge, folders outside. Success: there is
 * one above 2.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    for (long file = 3; file < 4096; file++)
        if (CALL(__NR_fcntl, file, F_GETFD) >= 0) hole("an open descriptor", file);
    /* None of the streams may be a folder. */
    for (int stream = 0; stream < 3; stream++) MUST_FAIL(CALL(__NR_openat, stream, ".", O_RDONLY, 0));
    return 0;
}
