/* Drops a page of its own program from memory, and asks whether a page is in memory without reading it: by these, any two runs
 * can pass bits through a shared file. Success: it can do one of the two.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    const char *paths[] = {"/program", "/usr/bin/env"};
    char byte, in_memory = 0;
    struct { void *start; unsigned long length; } piece = {&byte, 1};
    for (int at = 0; at < 2; at++) {
        long file = open_file(paths[at], O_RDONLY);
        if (file < 0) continue;
        MUST_FAIL(CALL(__NR_fadvise64, file, 0, 0, 4 /* POSIX_FADV_DONTNEED */));
        long got = CALL(__NR_preadv2, file, &piece, 1, 0, 0, 8 /* RWF_NOWAIT */);
        if (got > 0 || got == -EAGAIN) hole("it knows whether a page is there", got);
        char *mapped = (char *)CALL(__NR_mmap, 0, 4096, PROT_READ, MAP_SHARED, file, 0);
        if (is_error(mapped)) continue;
        MUST_FAIL(CALL(__NR_mincore, mapped, 4096, &in_memory));
        MUST_FAIL(CALL(__NR_madvise, mapped, 4096, 21 /* MADV_PAGEOUT */));
    }
    return 0;
}
