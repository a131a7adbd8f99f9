/* Tries to change its standard input: to write, to shorten, to map it shared, to open it again, to seal it. Success: the next
 * run, or the checker, reads something else.
 *
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    MUST_FAIL(CALL(__NR_write, 0, "9", 1));
    MUST_FAIL(CALL(__NR_pwrite64, 0, "9", 1, 0));
    MUST_FAIL(CALL(__NR_ftruncate, 0, 2));
    MUST_FAIL(CALL(__NR_fallocate, 0, 0, 0, 4096));
    char *mapped = (char *)CALL(__NR_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0);
    if (!is_error(mapped)) hole("mapping the input shared", 0), *mapped = '9';
    const char *names[] = {"/proc/self/fd/0", "/dev/stdin", "/dev/fd/0", "/proc/thread-self/fd/0"};
    for (int at = 0; at < 4; at++) {
        long file = open_file(names[at], O_RDWR);
        if (file >= 0 && CALL(__NR_pwrite64, file, "1", 1, 0) > 0) hole(names[at], 0);
        if (file >= 0 && CALL(__NR_ftruncate, file, 1) >= 0) hole(names[at], 1);
    }
    if (CALL(__NR_fcntl, 0, 1033 /* F_ADD_SEALS */, 15) >= 0) hole("sealing the input", 0);
    return 0;
}
