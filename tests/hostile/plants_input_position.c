/* Reads its input to the end. Success: the next run, which reads from a file with the same position, finds nothing; the honest
 * program after it would print another sum.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char buffer[4096];
    while (CALL(__NR_read, 0, buffer, sizeof buffer) > 0) {
    }
    CALL(__NR_lseek, 0, 1000000, 0);
    return 0;
}
