/* Reads the command lines of all processes of the machine, of which the judge's may name the problem and others may
 * contain secrets. Success: it sees one of a process that is not its own.
 *
 * unconfined: succeeds
 * expect: AC
 * expect basic: RE:1 (the whole of /proc is visible, except what Landlock's rule for ptrace covers)
 */
#include "bare.h"

static int attack(void) {
    char path[64], line[256];
    for (long process = 1; process < 300; process++) {
        long file = open_file(numbered(path, "/proc/", process, "/cmdline"), O_RDONLY);
        if (process != CALL(__NR_getpid) && file >= 0 && CALL(__NR_read, file, line, 256) > 0) hole(path, process);
        if (file >= 0) close_file(file);
    }
    long file = open_file(numbered(path, "/proc/", number_in(hint("JUDGE")), "/cmdline"), O_RDONLY);
    if (file >= 0 && CALL(__NR_read, file, line, 256) > 0) hole("the judge's", 0);
    return 0;
}
