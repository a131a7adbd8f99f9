/* Fills memory by malloc, and ends with an error when it gets none, as programs of the C library do. Success: a limit on
 * addresses, and not on memory, makes it a runtime error.
 *
 * libc: yes
 * expect: MLE
 */
#include "bare.h"

static int play(void) {
    for (;;) {
        char *piece = malloc(MIB);
        if (!piece) return 3;
        memset(piece, 1, MIB);
    }
}
