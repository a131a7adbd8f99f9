/* Starts four chains of processes, each of which starts the next in a session of its own and ends at once. Success: a judge
 * that lists processes and then kills them never finds the current ones.
 *
 * expect: AC|TLE
 */
#include "bare.h"

static int attack(void) {
    for (int chain = 0; chain < 4; chain++)
        if (split() == 0)
            for (;;) {
                CALL(__NR_setsid);
                if (split() > 0) leave(0);
            }
    nap_ms(20);
    return 0;
}
