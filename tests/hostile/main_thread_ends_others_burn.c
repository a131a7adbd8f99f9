/* Ends its first thread while another burns CPU time. Success: a judge that looks at the first thread sees a zombie, which
 * uses nothing.
 *
 * libc: yes
 * expect: TLE
 */
#include "bare.h"
#include <pthread.h>

static void *spin(void *unused) {
    burn_for_ever();
    return unused;
}

static int attack(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    CALL(__NR_exit, 0);
    return 1;
}
