/* Switches to other personalities: no randomness of addresses, everything readable executable, 32-bit names. Success: the next
 * run starts with it (the honest program after this one checks it).
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    CALL(__NR_personality, 0x0040000 | 0x0400000 | 8);
    CALL(__NR_personality, 0x0000004);
    return 0;
}
