/* Opens files until it is refused, in several processes. Success: it gets more than a few thousand, and so approaches the
 * limit of the machine.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    for (int process = 0; process < 4; process++) split();
    long files = 0;
    while (files < 100000 && CALL(__NR_dup, 1) >= 0) files++;
    if (files > 4096) hole("the number of open files", files);
    return 0;
}
