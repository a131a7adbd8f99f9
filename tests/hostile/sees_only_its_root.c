/* Lists the root folder, and opens the usual folders of a system. Success: it sees more than its own scratch folder, five
 * devices and a locale below /usr/lib, which is all that a static program needs.
 *
 * unconfined: succeeds
 * expect: AC
 * expect basic: RE:1 (without a mount namespace the system's folders are visible, for programs that need them)
 */
#include "bare.h"

static int attack(void) {
    const char *folders[] = {"/etc", "/usr/bin", "/usr/share", "/usr/include", "/usr/local", "/usr/sbin", "/usr/lib/x86_64-linux-gnu", "/proc", "/sys", "/home", "/root", "/var", "/opt", "/bin",
                             "/boot", "/run", "/srv", "/mnt", "/media", "/lost+found", "/proc/sys", "/dev/pts"};
    for (unsigned long at = 0; at < sizeof folders / sizeof *folders; at++)
        must_fail(folders[at], open_file(folders[at], O_RDONLY | O_DIRECTORY));
    return 0;
}
