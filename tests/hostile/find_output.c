/* Reads its own output before it has written anything: if an earlier run has written to the same file, that is the output of
 * the earlier run. Success: any byte, or a size other than 0.
 *
 * expect: AC
 */
#include "bare.h"

static void read_it(const char *what, long file) {
    char byte;
    if (file < 0) return;
    if (CALL(__NR_pread64, file, &byte, 1, 0) > 0) hole(what, byte);
    if (CALL(__NR_read, file, &byte, 1) > 0) hole(what, byte);
    if (CALL(__NR_lseek, file, 0, 2) > 0) hole("its size", CALL(__NR_lseek, file, 0, 2));
    CALL(__NR_lseek, file, 0, 0);
    char *mapped = (char *)CALL(__NR_mmap, 0, 4096, PROT_READ, MAP_SHARED, file, 0);
    if (!is_error(mapped)) {
        int pipe[2];
        CALL(__NR_pipe2, pipe, 0);
        if (CALL(__NR_write, pipe[1], mapped, 1) > 0) hole("its mapping", 0);
    }
}

static int attack(void) {
    char path[64];
    for (long stream = 1; stream < 3; stream++) {
        read_it("the stream itself", stream);
        CALL(__NR_fchmod, stream, 0666);
        read_it("the stream by /proc", open_file(numbered(path, "/proc/self/fd/", stream, ""), O_RDONLY));
        read_it("the stream by /dev", open_file(numbered(path, "/dev/fd/", stream, ""), O_RDONLY));
    }
    long here = open_file("copy", O_RDWR | O_CREAT), from = 0;
    if (CALL(__NR_copy_file_range, 1, &from, here, 0, 4096, 0) > 0) hole("copy_file_range", 0);
    if (CALL(__NR_sendfile, here, 1, &from, 4096) > 0) hole("sendfile", 0);
    CALL(__NR_unlinkat, AT_FDCWD, "copy", 0);
    return 0;
}
