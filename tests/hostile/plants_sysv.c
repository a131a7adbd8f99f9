/* Leaves System V shared memory, a semaphore and a message queue, all of which stay until they are removed. Success: see
 * find_sysv.c, which runs next.
 *
 * then: find_sysv
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    long memory = CALL(__NR_shmget, 0x4057, 4096, 01666), queue = CALL(__NR_msgget, 0x4057, 01666);
    char *mapped = (char *)CALL(__NR_shmat, memory, 0, 0);
    if (!is_error(mapped)) *mapped = 42;
    CALL(__NR_semget, 0x4057, 1, 01666);
    struct {
        long kind;
        char text[8];
    } message = {1, "answer"};
    CALL(__NR_msgsnd, queue, &message, 8, 04000);
    return 0;
}
