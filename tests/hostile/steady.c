/* An honest program that uses 16 MiB and some milliseconds, many times over. Success: its figures grow, because something is
 * left from run to run.
 *
 * expect: AC
 * at least: memory 15 MiB
 */
#include "bare.h"

static int attack(void) {
    touch(map(16 * MIB, MAP_PRIVATE), 16 * MIB);
    for (volatile long count = 0; count < 2000000; count++) {
    }
    return 0;
}
