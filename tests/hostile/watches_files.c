/* Watches what others do with files, by inotify and fanotify, which Landlock does not cover: names of files in /tmp, the
 * judge's folder, the programs, the devices. Success: a watch on anything but its own folder.
 *
 * unconfined: succeeds
 * expect: AC
 * expect full: AC|RE:1 (if only the shared devices can be watched)
 * expect user: AC|RE:1 (if only the shared devices can be watched)
 * expect basic: AC|RE:1 (closed only if the filter denies inotify, because Landlock does not)
 */
#include "bare.h"

static int attack(void) {
    char folder[4200];
    long inotify = CALL(__NR_inotify_init1, O_NONBLOCK);
    long fanotify = CALL(__NR_fanotify_init, 0x200 /* FAN_REPORT_FID */, O_RDONLY);
    const char *paths[] = {"/tmp", "/etc", "/usr/bin", "/dev/null", hint("PROGRAMS"), hint("ANSWER"),
                           joined(folder, hint("ANSWER"), "..")};
    for (int at = 0; at < 7; at++) {
        if (is(paths[at], hint("HOME"))) continue;
        if (inotify >= 0) must_fail(paths[at], CALL(__NR_inotify_add_watch, inotify, paths[at], 0xfff));
        if (fanotify >= 0) must_fail(paths[at], CALL(__NR_fanotify_mark, fanotify, 1, 0x30, AT_FDCWD, paths[at]));
    }
    return 0;
}
