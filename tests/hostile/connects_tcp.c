/* Connects to a port on which this machine listens. Success: it reaches a server of the judge's machine, and so perhaps a
 * helper that solves the case.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    long port = number_in(hint("TCP"));
    struct {
        unsigned short family, port;
        unsigned char address[12];
    } server = {2, (unsigned short)(port << 8 | port >> 8), {127, 0, 0, 1}};
    long socket = CALL(__NR_socket, 2, 1, 0);
    if (socket >= 0) MUST_FAIL(CALL(__NR_connect, socket, &server, 16));
    /* With the data in the first packet, which avoids the call connect. */
    socket = CALL(__NR_socket, 2, 1, 0);
    if (socket >= 0) MUST_FAIL(CALL(__NR_sendto, socket, "x", 1, 0x20000000 /* MSG_FASTOPEN */, &server, 16));
    return 0;
}
