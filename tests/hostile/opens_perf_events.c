/* Opens counters of its own events and of a whole processor's. Success: it gets one, and could measure other programs.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    unsigned int event[32] = {1 /* software */, 128, 0 /* CPU clock */};
    MUST_FAIL(CALL(__NR_perf_event_open, event, 0, -1, -1, 0));
    MUST_FAIL(CALL(__NR_perf_event_open, event, -1, 0, -1, 0));
    event[10] = 0x60 /* exclude the kernel and the hypervisor */;
    MUST_FAIL(CALL(__NR_perf_event_open, event, 0, -1, -1, 8));
    return 0;
}
