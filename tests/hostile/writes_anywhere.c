/* Tries to create, remove, rename and change files in all folders where a user usually may, in the judge's own and in the
 * system's. Success: one of them changes.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static void write_in(const char *folder) {
    char path[4200], other[4200];
    joined(path, folder, "hostile-file"), joined(other, folder, "hostile-other");
    MUST_FAIL(open_file(path, O_WRONLY | O_CREAT));
    MUST_FAIL(CALL(__NR_openat, AT_FDCWD, folder, 020000000 /* of O_TMPFILE */ | O_DIRECTORY | O_RDWR, 0600));
    MUST_FAIL(CALL(__NR_mkdirat, AT_FDCWD, other, 0777));
    CALL(__NR_unlinkat, AT_FDCWD, other, AT_REMOVEDIR);
    MUST_FAIL(CALL(__NR_symlinkat, "/", AT_FDCWD, other));
    CALL(__NR_unlinkat, AT_FDCWD, other, 0);
    MUST_FAIL(CALL(__NR_mknodat, AT_FDCWD, other, S_IFIFO | 0600, 0));
    CALL(__NR_unlinkat, AT_FDCWD, other, 0);
    CALL(__NR_unlinkat, AT_FDCWD, path, 0);
}

static void change(const char *file) {
    char other[4200];
    numbered(other, file, 2, "");
    MUST_FAIL(open_file(file, O_WRONLY));
    MUST_FAIL(open_file(file, O_RDWR | O_APPEND));
    MUST_FAIL(CALL(__NR_truncate, file, 3));
    if (CALL(__NR_renameat2, AT_FDCWD, file, AT_FDCWD, other, 0) >= 0) {
        hole("renaming a file", 0);
        CALL(__NR_renameat2, AT_FDCWD, other, AT_FDCWD, file, 0);
    }
}

static int attack(void) {
    const char *folders[] = {"/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", "/run/lock", "/var/lock", "/usr", "/etc",
                             "/home", "/root", "/proc", "/sys", "/mnt", "/dev/mqueue", "..", "../.."};
    for (unsigned long at = 0; at < sizeof folders / sizeof *folders; at++)
        if (!is_scratch(folders[at])) write_in(folders[at]);
    write_in(hint("PROGRAMS"));
    change(hint("INPUT"));
    change(hint("CONFIG"));
    return 0;
}
