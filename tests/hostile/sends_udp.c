/* Sends a datagram to a port of this machine. Success: it is sent, because Landlock has no rule about UDP.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    long port = number_in(hint("UDP"));
    struct {
        unsigned short family, port;
        unsigned char address[12];
    } server = {2, (unsigned short)(port << 8 | port >> 8), {127, 0, 0, 1}};
    long socket = CALL(__NR_socket, 2, 2, 0);
    MUST_FAIL(CALL(__NR_sendto, socket, "the answer", 10, 0, &server, 16));
    return 0;
}
