/* Serves on an abstract socket, which has a name but no file, for finds_abstract_socket.c in another run at the same time.
 * Success: it gets the name (and see the other program).
 *
 * beside: finds_abstract_socket
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    struct {
        unsigned short family;
        char name[9];
    } here = {1, "\0hostile1"};
    long socket = CALL(__NR_socket, 1, 1, 0);
    if (socket < 0) return 0;
    if (CALL(__NR_bind, socket, &here, sizeof here) >= 0) hole("a name for all to see", 0);
    CALL(__NR_listen, socket, 1);
    nap_ms(500);
    return 0;
}
