/* Opens what /proc shows of the judge, the launcher, the parent, process 1 and their neighbours: memory, environment, mappings,
 * descriptors, folders. Success: it could read answers from the judge's memory, or by its descriptors.
 *
 * basic needs: landlock 1
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static void look_at(long process) {
    char path[64], target[256];
    if (process < 1 || process == CALL(__NR_getpid)) return;
    const char *files[] = {"/mem", "/environ", "/maps", "/auxv", "/io", "/pagemap", "/stack", "/syscall", "/fdinfo", "/map_files"};
    for (int at = 0; at < 10; at++) {
        char byte[64];
        long file = open_file(numbered(path, "/proc/", process, files[at]), O_RDONLY);
        if (file < 0) continue;
        /* Some files may be opened by every process but read by few. */
        long got = CALL(__NR_read, file, byte, sizeof byte);
        if (at == 0) got = -1, MUST_FAIL(open_file(path, O_RDWR));
        if (got > 0) hole(path, got);
        close_file(file);
    }
    const char *links[] = {"/cwd", "/root", "/exe", "/fd/0", "/fd/1", "/fd/3", "/fd/4", "/fd/5", "/ns/mnt"};
    for (int at = 0; at < 9; at++) {
        if (CALL(__NR_readlinkat, AT_FDCWD, numbered(path, "/proc/", process, links[at]), target, 256) >= 0) hole(path, at);
        if (open_file(path, O_RDONLY) >= 0) hole(path, at);
    }
}

static int attack(void) {
    long judge = number_in(hint("JUDGE")), launcher = number_in(hint("LAUNCHER"));
    look_at(CALL(__NR_getppid));
    for (long near = -3; near <= 3; near++) look_at(judge + near), look_at(launcher + near);
    return 0;
}
