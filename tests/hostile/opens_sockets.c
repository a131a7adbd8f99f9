/* Opens sockets of all families and kinds, raw ones and those of the kernel's own services among them. Success: it gets one, by
 * which it could send what it has read to another run or another machine, or reach rarely tested parts of the kernel.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    for (long family = 0; family <= 46; family++)
        for (long kind = 1; kind <= 10; kind++) {
            long socket = CALL(__NR_socket, family, kind, 0);
            if (socket >= 0) {
                char what[64];
                hole(numbered(what, "a socket of family ", family, ""), kind);
                close_file(socket);
            }
        }
    /* Kinds that need a protocol: ICMP, netlink, packets of all kinds, MPTCP, SMC. */
    MUST_FAIL(CALL(__NR_socket, 2, 3, 1));
    MUST_FAIL(CALL(__NR_socket, 2, 2, 1));
    MUST_FAIL(CALL(__NR_socket, 2, 1, 262));
    MUST_FAIL(CALL(__NR_socket, 17, 3, 0x300));
    for (long protocol = 0; protocol < 22; protocol++) MUST_FAIL(CALL(__NR_socket, 16, 3, protocol));
    return 0;
}
