/* Makes x32 system calls: the same numbers with a bit set, which a filter that compares numbers does not know. Most kernels
 * are built without them. Success: a socket, or any answer other than an error.
 *
 * expect: AC|RE:SIGSYS
 */
#include "bare.h"

static int attack(void) {
#if defined(__x86_64__)
    MUST_FAIL(CALL(0x40000000 | __NR_getpid));
    MUST_FAIL(CALL(0x40000000 | __NR_socket, 2, 1, 0));
    MUST_FAIL(CALL(0x40000000 | 521 /* ptrace */, 0, 0, 0, 0));
#endif
    return 0;
}
