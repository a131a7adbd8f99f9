/* Reads the machine's users and its name: /etc/passwd, /etc/hostname, /etc/machine-id. Success: it opens one.
 *
 * unconfined: succeeds
 * expect: AC
 * expect basic: RE:1 (programs may read the system's folders, and /etc is one)
 */
#include "bare.h"

static int attack(void) {
    MUST_FAIL(open_file("/etc/passwd", O_RDONLY));
    MUST_FAIL(open_file("/etc/group", O_RDONLY));
    MUST_FAIL(open_file("/etc/hostname", O_RDONLY));
    MUST_FAIL(open_file("/etc/machine-id", O_RDONLY));
    return 0;
}
