/* Starts threads until it has a hundred thousand, to use up the machine's thread numbers. Success: it gets more than the
 * limit of processes, which counts threads.
 *
 * libc: yes
 * limits: cpu 1000 ms
 * expect: AC
 * expect shared: RE:1 (the limit counts all that the user runs, so it has a margin of some hundreds)
 */
#include "bare.h"
#include <pthread.h>

static void *wait_for_ever(void *unused) {
    for (;;) pause();
    return unused;
}

static int attack(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    long threads = 1;
    pthread_t thread;
    while (threads < 100000 && pthread_create(&thread, &small, wait_for_ever, NULL) == 0) threads++;
    if (threads > 16) hole("the number of threads", threads);
    leave(holes);
}
