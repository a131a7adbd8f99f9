/* Reserves 16 GiB of addresses and touches none of it, as the runtimes of Java and Go do: no attack. Success: it is blamed.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) { return is_error(map(1L << 34, MAP_PRIVATE | MAP_NORESERVE)) ? 1 : 0; }
