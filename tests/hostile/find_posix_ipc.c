/* Looks for what plants_posix_ipc.c left. Success: it is there. (It removes what it finds.)
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    MUST_FAIL(CALL(__NR_mq_open, "hostile", O_RDONLY, 0, 0));
    CALL(__NR_mq_unlink, "hostile");
    MUST_FAIL(open_file("/dev/shm/hostile", O_RDONLY));
    CALL(__NR_unlinkat, AT_FDCWD, "/dev/shm/hostile", 0);
    return 0;
}
