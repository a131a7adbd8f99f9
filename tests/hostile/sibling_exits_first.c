/* Starts a process as a child of its own parent (CLONE_PARENT), so that the launcher, or the init of its namespace, reaps a
 * process that it never started, which exits with 3. Success: the run is taken for ended, with the wrong code.
 *
 * expect: RE:7
 * prints: main
 */
#include "bare.h"

static int attack(void) {
    if (CALL(__NR_clone, CLONE_PARENT | SIGCHLD) == 0) leave(3);
    if (CALL(__NR_clone, CLONE_PARENT) == 0) leave(4);
    nap_ms(40);
    say("main");
    return 7;
}
