/* Runs the system's set-user programs and reads as which user they run. Success: one runs as root.
 *
 * expect: AC
 */
#include "bare.h"

/* The effective user in /proc/PID/status: `Uid:`, the real one, the effective one. */
static long user_of(long process) {
    char text[4096] = "", path[64];
    long file = open_file(numbered(path, "/proc/", process, "/status"), O_RDONLY);
    CALL(__NR_read, file, text, sizeof text - 1);
    close_file(file);
    for (char *at = text; *at; at++)
        if (starts_with(at, "\nUid:\t")) {
            at += 6;
            while (*at != '\t') at++;
            return number_in(at + 1);
        }
    return -1;
}

static int attack(void) {
    const char *programs[] = {"/usr/bin/su", "/usr/bin/sudo", "/usr/bin/passwd", "/usr/bin/pkexec"};
    int pipe[2];
    CALL(__NR_pipe2, pipe, 0);
    for (int at = 0; at < 4; at++) {
        char *line[] = {(char *)programs[at], 0};
        long child = split();
        if (child == 0) {
            CALL(__NR_dup3, pipe[0], 0, 0);
            CALL(__NR_execve, programs[at], line, environment);
            leave(9);
        }
        /* It waits for a password, which never comes. */
        for (int look = 0; look < 10; look++) {
            nap_ms(5);
            if (user_of(child) == 0 && CALL(__NR_getuid) != 0) hole(programs[at], 0);
        }
        signal_to(child, SIGKILL);
    }
    return 0;
}
