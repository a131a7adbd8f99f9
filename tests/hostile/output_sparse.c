/* Stretches its output to a terabyte by one call, and writes a byte at its end, without using any space. Success: a judge that
 * reads it is busy for hours.
 *
 * expect: RE:SIGXFSZ
 */
#include "bare.h"

static int attack(void) {
    CALL(__NR_ftruncate, 1, 1L << 40);
    CALL(__NR_pwrite64, 1, "x", 1, (1L << 40) - 1);
    return 0;
}
