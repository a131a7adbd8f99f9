/* Reads one byte of each 2 MiB of 64 GiB: all are the same page of zeros, but the kernel needs a page of its tables for
 * each, 128 MiB in all. Success: the tables are not counted.
 *
 * limits: cpu 3000 ms, wall 6000 ms
 * expect: MLE
 * expect user: MLE|AC (without a control group, page tables are not seen)
 * expect basic: AC (not seen: page tables)
 */
#include "bare.h"

static int attack(void) {
    volatile char *memory = map(1L << 36, MAP_PRIVATE | MAP_NORESERVE);
    if (is_error((char *)memory)) return 1;
    CALL(__NR_madvise, memory, 1L << 36, 15 /* no huge pages */);
    for (long at = 0; at < 1L << 36; at += 2 * MIB) (void)memory[at];
    return 0;
}
