/* Raises its own limits: open files, CPU time, processes, stack, file size, locked memory, priority. Success: one is above its
 * initial value.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    const int limits[] = {0 /* CPU */, 1 /* FSIZE */, 3 /* STACK */, 4 /* CORE */, 6 /* NPROC */, 7 /* NOFILE */};
    for (int at = 0; at < 6; at++) {
        unsigned long now[2], more[2];
        CALL(__NR_prlimit64, 0, limits[at], 0, now);
        if (now[1] == ~0UL) {
            hole("no limit at all on", limits[at]);
            continue;
        }
        more[0] = more[1] = now[1] + 1;
        MUST_FAIL(CALL(__NR_prlimit64, 0, limits[at], more, 0));
        MUST_FAIL(CALL(__NR_prlimit64, CALL(__NR_getpid), limits[at], more, 0));
        more[0] = more[1] = ~0UL;
        MUST_FAIL(CALL(__NR_setrlimit, limits[at], more));
    }
    return 0;
}
