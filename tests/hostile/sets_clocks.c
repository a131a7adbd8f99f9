/* Sets the machine's clocks in all ways. Success: one is set (to the present time).
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    long time[2], zone[2] = {0, 0}, status[32] = {0};
    CALL(__NR_clock_gettime, 0, time);
    MUST_FAIL(CALL(__NR_clock_settime, 0, time));
    time[1] /= 1000;
    MUST_FAIL(CALL(__NR_settimeofday, time, 0));
    MUST_FAIL(CALL(__NR_settimeofday, 0, zone));
    *(unsigned int *)status = 0x0020 /* the time constant */;
    status[5] = 2;
    MUST_FAIL(CALL(__NR_adjtimex, status));
    MUST_FAIL(CALL(__NR_clock_adjtime, 0, status));
    return 0;
}
