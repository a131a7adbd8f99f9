/* Asks for leases on files that others open, and for notifications of changes in folders: both let a run see when another is at
 * work, and a lease can delay the judge for 45 seconds. Success: the kernel grants one.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    const char *files[] = {"/dev/null", "/etc/passwd", "/usr/bin/env", arguments[0], "mine"};
    /* The signal of such a notification, which would end the program. */
    ignore(SIGIO);
    CALL(__NR_openat, AT_FDCWD, "mine", O_RDWR | O_CREAT, 0600);
    for (int at = 0; at < 5; at++) {
        long file = open_file(files[at], O_RDONLY);
        if (file < 0) continue;
        MUST_FAIL(CALL(__NR_fcntl, file, 1024 /* F_SETLEASE */, 0));
        MUST_FAIL(CALL(__NR_fcntl, file, 1024 /* F_SETLEASE */, 1));
    }
    const char *folders[] = {"/", "/usr", "/tmp", "."};
    for (int at = 0; at < 4; at++) {
        long folder = open_file(folders[at], O_RDONLY | O_DIRECTORY);
        if (folder >= 0) MUST_FAIL(CALL(__NR_fcntl, folder, 1026 /* F_NOTIFY */, 0x8000003f));
    }
    return 0;
}
