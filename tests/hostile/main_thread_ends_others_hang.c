/* Ends its first thread, with code 0, while another sleeps for ever. Success: the run is taken for ended, with
 * success, though it is not.
 *
 * libc: yes
 * limits: wall 300 ms
 * expect: ILE
 */
#include "bare.h"
#include <pthread.h>

static void *sleep_on(void *unused) {
    sleep_for_ever();
    return unused;
}

static int attack(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_on, NULL);
    CALL(__NR_exit, 0);
    return 1;
}
