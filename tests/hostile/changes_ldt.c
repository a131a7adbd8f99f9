/* Writes a segment to its local descriptor table, a corner of the kernel with a history of holes and no other use. Success: the
 * kernel accepts it.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
#if defined(__x86_64__)
    /* Entry 0: its start, its length, and the bits of 32-bit, usable data. */
    unsigned int segment[4] = {0, 0, 0xfffff, 0x51};
    MUST_FAIL((int)CALL(__NR_modify_ldt, 0x11, segment, sizeof segment));
    MUST_FAIL(CALL(__NR_iopl, 3));
    MUST_FAIL(CALL(__NR_ioperm, 0x70, 2, 1));
#else
    hole("there is no such table here", 0);
    holes = 0;
#endif
    return 0;
}
