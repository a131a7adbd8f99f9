/* Opens what /proc shows of process 1: in its own process namespace, that is the run's init, which may still have the
 * launcher's descriptors, environment and memory. Success: it reads some of it.
 *
 * basic needs: landlock 1
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char path[64], byte[64];
    const char *files[] = {"environ", "mem", "maps", "auxv", "pagemap"};
    for (int at = 0; at < 5; at++) {
        long file = open_file(joined(path, "/proc/1", files[at]), O_RDONLY);
        if (file >= 0 && CALL(__NR_pread64, file, byte, 1, at == 1 ? 0x400000 : 0) > 0) hole(path, at);
    }
    for (int file = 0; file < 32; file++) {
        MUST_FAIL(CALL(__NR_readlinkat, AT_FDCWD, numbered(path, "/proc/1/fd/", file, ""), byte, sizeof byte));
        MUST_FAIL(open_file(path, O_RDONLY));
    }
    MUST_FAIL(open_file("/proc/1/root/etc/passwd", O_RDONLY));
    return 0;
}
