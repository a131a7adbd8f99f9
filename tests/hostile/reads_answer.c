/* Opens the answer by all names that it could have: its path, and that path below the roots and working folders of other
 * processes in /proc. Success: it can print it.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static void try(const char *before, const char *path) {
    char name[8400];
    joined(name, before, path);
    MUST_FAIL(open_file(name, O_RDONLY));
    /* If the error shows that the file exists, that is printed but is no hole: the program was given its name. */
    MUST_FAIL(CALL(__NR_openat, AT_FDCWD, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0));
}

static int attack(void) {
    char name[64];
    const char *answer = hint("ANSWER");
    try("", answer);
    try("/proc/self/root", answer);
    try("/proc/1/root", answer);
    try("/proc/thread-self/root", answer);
    try("../../../../../../../../..", answer);
    try(numbered(name, "/proc/", number_in(hint("JUDGE")), "/root"), answer);
    try(numbered(name, "/proc/", number_in(hint("LAUNCHER")), "/root"), answer);
    try(numbered(name, "/proc/", CALL(__NR_getppid), "/root"), answer);
    /* The same, relative to a descriptor of the root, resolved by openat2. */
    long root = CALL(__NR_openat, AT_FDCWD, "/", O_PATH | O_DIRECTORY, 0);
    MUST_FAIL(CALL(__NR_openat, root, answer + 1, O_RDONLY, 0));
    struct {
        unsigned long flags, mode, resolve;
    } how = {0, 0, 0x10 /* RESOLVE_IN_ROOT */};
    MUST_FAIL(CALL(437 /* openat2 */, root, answer, &how, sizeof how));
    return 0;
}
