/* Closes all its streams and hangs. Success: a judge that takes the end of the output for the end of the run is
 * deceived.
 *
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"

static int attack(void) {
    for (int stream = 0; stream < 3; stream++) close_file(stream);
    sleep_for_ever();
}
