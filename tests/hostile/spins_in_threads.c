/* Burns CPU time in four threads at once. Success: it gets several times its limit before it is stopped.
 *
 * libc: yes
 * expect: TLE
 * at most: cpu 500 ms
 */
#include "bare.h"
#include <pthread.h>

static void *spin(void *unused) {
    burn_for_ever();
    return unused;
}

static int attack(void) {
    pthread_t thread;
    for (int count = 0; count < 3; count++) pthread_create(&thread, NULL, spin, NULL);
    spin(NULL);
    return 0;
}
