/* Looks for locks of holds_locks.c, which runs at the same time. Success: it sees one, so that two runs of one submission can
 * tell each other their cases. A filter of system calls cannot tell a shared file from one of its own, so locking itself works.
 *
 * limits: wall 2000 ms
 * expect: RE:1
 * expect full: RE:1|AC (closed only if its devices are files of its own)
 * expect user: RE:1|AC (closed only if its devices are files of its own)
 * expect basic: RE:1 (locks on files that all may open are seen by all)
 */
#include "bare.h"

static void look_at(const char *path) {
    long file = open_file(path, O_RDWR);
    if (file < 0) file = open_file(path, O_RDONLY);
    if (file < 0) return;
    short lock[16] = {1 /* for writing */};
    if (CALL(__NR_flock, file, 2 | 4) == -EAGAIN) hole("a lock of flock", 0);
    if (CALL(__NR_fcntl, file, 5 /* F_GETLK */, lock) >= 0 && lock[0] != 2 /* none */) hole("a lock of fcntl", lock[0]);
    CALL(__NR_flock, file, 8);
    close_file(file);
}

static int attack(void) {
    for (int look = 0; look < 80 && !holes; look++) {
        nap_ms(10);
        look_at("/dev/null"), look_at("/dev/zero"), look_at("/etc/passwd"), look_at("/usr/bin/env");
    }
    return 0;
}
