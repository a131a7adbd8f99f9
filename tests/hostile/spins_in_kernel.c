/* Burns CPU time in system calls only. Success: a judge that counts user time sees nothing.
 *
 * expect: TLE
 * at most: cpu 350 ms
 */
#include "bare.h"

static int attack(void) {
    char *memory = map(1 << 20, MAP_PRIVATE);
    long zero = open_file("/dev/zero", O_RDONLY);
    for (;;)
        if (CALL(__NR_read, zero, memory, 1 << 20) < 0) CALL(__NR_getppid);
}
