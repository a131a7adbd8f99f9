/* Fills 128 MiB of shared memory, and unmaps each piece as soon as it is full: the kernel still holds it, but no process has
 * it mapped. Success: it holds twice its limit.
 *
 * expect: MLE
 * expect user: MLE|AC (without a control group, memory that no process has mapped is not seen)
 * expect basic: AC (not seen: memory that no process has mapped)
 */
#include "bare.h"

static int attack(void) {
    char *memory = map(128 * MIB, MAP_SHARED);
    for (long at = 0; at < 128 * MIB; at += 8 * MIB) {
        touch(memory + at, 8 * MIB);
        CALL(__NR_madvise, memory + at, 8 * MIB, MADV_DONTNEED);
    }
    return 0;
}
