/* Binds a port and listens. Success: two runs could meet there, or it could answer in place of a server of this machine.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    struct {
        unsigned short family, port;
        unsigned char address[12];
    } here = {2, 0, {127, 0, 0, 1}};
    long socket = CALL(__NR_socket, 2, 1, 0);
    if (socket >= 0) {
        here.port = 0x3930;
        MUST_FAIL(CALL(__NR_bind, socket, &here, 16));
    }
    return 0;
}
