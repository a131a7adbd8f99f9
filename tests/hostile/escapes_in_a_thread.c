/* Tries in a new thread, and in a child that shares everything with it, what is refused in the first one: confinement that was
 * applied too late holds only in one thread. Success: it gets the answer, or a socket.
 *
 * libc: yes
 * expect: AC
 */
#include "bare.h"
#include <pthread.h>

static void try(void) {
    MUST_FAIL(open_file(hint("ANSWER"), O_RDONLY));
    MUST_FAIL(CALL(__NR_socket, 2, 2, 0));
    MUST_FAIL(CALL(__NR_prctl, PR_SET_SECCOMP, 0));
    if (CALL(__NR_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) hole("leave to gain rights", 0);
}

static void *in_thread(void *unused) {
    try();
    return unused;
}

static int attack(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, in_thread, NULL) == 0) pthread_join(thread, NULL);
    if (vfork() == 0) {
        try();
        _exit(0);
    }
    return 0;
}
