/* Reads a mapped file beyond its end. Success: its end is reported as something other than SIGBUS.
 *
 * expect: RE:SIGBUS
 */
#include "bare.h"

static int attack(void) {
    long file = open_file("short", O_RDWR | O_CREAT);
    volatile char *mapped = (char *)CALL(__NR_mmap, 0, 8192, PROT_READ, MAP_SHARED, file, 0);
    return mapped[0];
}
