/* Looks for the abstract socket of serves_abstract_socket.c, which runs at the same time. Success: they are connected, and can
 * tell each other their cases.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    struct {
        unsigned short family;
        char name[9];
    } there = {1, "\0hostile1"};
    for (int look = 0; look < 40; look++) {
        long socket = CALL(__NR_socket, 1, 1, 0);
        if (socket >= 0 && CALL(__NR_connect, socket, &there, sizeof there) >= 0) {
            hole("a connection to another run", 0);
            return 1;
        }
        close_file(socket);
        nap_ms(10);
    }
    return 0;
}
