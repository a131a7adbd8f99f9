/* Burns CPU time in threads that live for a millisecond each, while the first only waits. Success: their time is lost
 * when they end.
 *
 * libc: yes
 * limits: wall 1500 ms
 * expect: TLE
 */
#include "bare.h"
#include <pthread.h>

static void *spin(void *unused) {
    burn_ms(1);
    return unused;
}

static int attack(void) {
    for (;;) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, spin, NULL) == 0) pthread_join(thread, NULL);
    }
}
