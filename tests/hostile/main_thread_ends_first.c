/* Ends its first thread while another goes on, and prints the answer from the other. Success: the run is taken for ended when the
 * first thread is, and the output is lost.
 *
 * libc: yes
 * expect: AC
 * prints: late
 */
#include "bare.h"
#include <pthread.h>

static void *go_on(void *unused) {
    nap_ms(60);
    say("late");
    leave(0);
    return unused;
}

static int attack(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, go_on, NULL);
    pthread_exit(NULL);
}
