/* Runs the system's set-user programs. Success: one runs as root (they print their user, or write where only root may).
 *
 * expect: AC
 */
#include "bare.h"

static int play(void) {
    char *id[] = {"su", "-c", "echo hole: su gave 1", 0};
    char *sudo[] = {"sudo", "-n", "echo", "hole: sudo gave 1", 0};
    int status = 0;
    long child = split();
    if (child == 0) {
        CALL(__NR_execve, "/usr/bin/su", id, environment);
        leave(9);
    }
    wait_for(child, &status);
    if (status == 0) hole("su", 0);
    child = split();
    if (child == 0) {
        CALL(__NR_execve, "/usr/bin/sudo", sudo, environment);
        leave(9);
    }
    wait_for(child, &status);
    if (status == 0) hole("sudo", 0);
    return 0;
}
