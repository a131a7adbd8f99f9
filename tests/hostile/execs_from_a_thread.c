/* Runs another program from a thread that is not the first. The kernel ends all others, and the new program takes the place
 * of the first. Success: the reported exit is that of a thread, not of the program (which exits with 5).
 *
 * libc: yes
 * expect: RE:5
 */
#include "tiny.h"
#include <pthread.h>

static void *become(void *unused) {
    become_tiny_from_memory();
    become_tiny_from_scratch();
    leave(5);
    return unused;
}

static int attack(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, become, NULL);
    sleep_for_ever();
}
