/* Locks files that every run may be able to open (two devices, two files of the system), for sees_locks.c in another run at the
 * same time: one bit for each file and moment. Success: see there.
 *
 * limits: wall 2000 ms
 * beside: sees_locks
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    const char *files[] = {"/dev/null", "/dev/zero", "/etc/passwd", "/usr/bin/env"};
    for (int at = 0; at < 4; at++) {
        long file = open_file(files[at], O_RDWR);
        if (file < 0) file = open_file(files[at], O_RDONLY);
        short lock[16] = {1 /* for writing */};
        CALL(__NR_flock, file, 2 | 4);
        CALL(__NR_fcntl, file, 6 /* F_SETLK */, lock);
        CALL(__NR_fcntl, file, 37 /* F_OFD_SETLK */, lock);
    }
    nap_ms(1000);
    return 0;
}
