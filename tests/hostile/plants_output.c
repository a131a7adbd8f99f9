/* Writes a secret to its output, for find_output.c to read in the next run. Success: see there.
 *
 * then: find_output
 * expect: AC
 * prints: SECRET-OF-AN-EARLIER-RUN
 */
#include "bare.h"

static int attack(void) {
    for (int line = 0; line < 1000; line++) say("SECRET-OF-AN-EARLIER-RUN\n");
    write_text(2, "SECRET-OF-AN-EARLIER-RUN\n");
    return 0;
}
