/* Leaves a POSIX message queue with a message in it, and shared memory by name. Success: see find_posix_ipc.c, which runs next.
 *
 * then: find_posix_ipc
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    long queue = CALL(__NR_mq_open, "hostile", O_RDWR | O_CREAT, 0666, 0);
    CALL(__NR_mq_timedsend, queue, "answer", 6, 0, 0);
    long file = open_file("/dev/shm/hostile", O_RDWR | O_CREAT);
    CALL(__NR_write, file, "answer", 6);
    return 0;
}
