/* Like output_sparse.c, but in several ways and ignoring the signal. Success: one of them makes the output larger than the limit.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    ignore(SIGXFSZ);
    MUST_FAIL(CALL(__NR_ftruncate, 1, 1L << 40));
    MUST_FAIL(CALL(__NR_pwrite64, 1, "x", 1, 1L << 40));
    CALL(__NR_lseek, 1, 1L << 40, 0);
    MUST_FAIL(CALL(__NR_write, 1, "x", 1));
    MUST_FAIL(CALL(__NR_fallocate, 1, 0, 1L << 30, 4096));
    CALL(__NR_lseek, 1, 0, 0);
    unsigned long unlimited[2] = {~0UL, ~0UL};
    MUST_FAIL(CALL(__NR_prlimit64, 0, RLIMIT_FSIZE, unlimited, 0));
    return 0;
}
