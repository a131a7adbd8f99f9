/* Fills memory by malloc, and ends with an error when it gets none, as C programs do. Success: it is reported as a runtime
 * error, because addresses are limited instead of memory.
 *
 * libc: yes
 * expect: MLE
 */
#include "bare.h"

static int attack(void) {
    for (;;) {
        char *piece = malloc(MIB);
        if (!piece) return 3;
        memset(piece, 1, MIB);
    }
}
