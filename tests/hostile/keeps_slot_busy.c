/* Ends at once, but leaves so much for the kernel to clean up (all the memory it may have, thousands of mappings, open pipes)
 * that the next run is measured while that goes on. Success: the honest program after it is charged for it.
 *
 * limits: cpu 1000 ms
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    touch(map(40 * MIB, MAP_PRIVATE), 40 * MIB);
    for (int count = 0; count < 5000; count++)
        CALL(__NR_mmap, 0, 4096, count % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int count = 0; count < 300; count++) {
        int pipe[2];
        CALL(__NR_pipe2, pipe, 0);
        CALL(__NR_write, pipe[1], "x", 1);
    }
    return 0;
}
