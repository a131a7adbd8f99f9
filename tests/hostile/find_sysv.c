/* Looks for what plants_sysv.c left. Success: it is there: a run can tell the next what it has read. (It removes what it finds.)
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    long memory = CALL(__NR_shmget, 0x4057, 0, 0), semaphore = CALL(__NR_semget, 0x4057, 0, 0);
    long queue = CALL(__NR_msgget, 0x4057, 0);
    must_fail("shared memory of an earlier run", memory);
    must_fail("a semaphore of an earlier run", semaphore);
    must_fail("a message queue of an earlier run", queue);
    if (memory >= 0) CALL(__NR_shmctl, memory, 0, 0);
    if (semaphore >= 0) CALL(__NR_semctl, semaphore, 0, 0, 0);
    if (queue >= 0) CALL(__NR_msgctl, queue, 0, 0);
    return 0;
}
