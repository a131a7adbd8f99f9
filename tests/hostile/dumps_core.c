/* Asks for a core dump and crashes. Success: a file is left somewhere, or the machine's core dump handler is started.
 *
 * then: find_files
 * expect: RE:SIGSEGV
 */
#include "bare.h"

static int attack(void) {
    unsigned long all[2] = {~0UL, ~0UL};
    MUST_FAIL(CALL(__NR_prlimit64, 0, RLIMIT_CORE, all, 0));
    if (holes) return 1;
    signal_to(CALL(__NR_getpid), SIGSEGV);
    return 0;
}
