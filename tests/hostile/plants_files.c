/* Leaves files, links, folders, a pipe and a socket in its scratch folder, with odd modes and long and strange names.
 * Success: the next run finds one, or the judge cannot remove one.
 *
 * limits: cpu 3000 ms, wall 6000 ms
 * then: find_files
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char name[256];
    for (int at = 0; at < 255; at++) name[at] = 1 + at % 46;
    name[255] = 0;
    const char *names[] = {"file", ".hidden", "-rf", "...", "new\nline", "\xff\xfe", "hoisted-1", name};
    for (int at = 0; at < 8; at++) close_file(open_file(names[at], O_WRONLY | O_CREAT));
    CALL(__NR_mknodat, AT_FDCWD, "pipe", S_IFIFO | 0600, 0);
    CALL(__NR_mknodat, AT_FDCWD, "socket", S_IFSOCK | 0600, 0);
    CALL(__NR_symlinkat, "/", AT_FDCWD, "link");
    CALL(__NR_symlinkat, "loop", AT_FDCWD, "loop");
    CALL(__NR_linkat, AT_FDCWD, "file", AT_FDCWD, "twin", 0);
    CALL(__NR_mkdirat, AT_FDCWD, "locked", 0700);
    CALL(__NR_mkdirat, AT_FDCWD, "locked/inner", 0700);
    close_file(open_file("locked/inner/file", O_WRONLY | O_CREAT));
    CALL(__NR_fchmodat, AT_FDCWD, "locked/inner", 0);
    CALL(__NR_fchmodat, AT_FDCWD, "locked", 0);
    return 0;
}
