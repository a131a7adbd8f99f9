/* Loads kernel modules and another kernel. Success: the kernel begins to read them. (The arguments are no module, but the
 * kernel says so only to root.)
 *
 * expect: AC
 */
#include "tiny.h"

static int attack(void) {
    long file = CALL(__NR_openat, AT_FDCWD, "module", O_RDWR | O_CREAT, 0700);
    write_tiny(file);
    long results[] = {
        CALL(__NR_init_module, "no module", 9, ""),
        CALL(__NR_finit_module, file, "", 0),
        CALL(__NR_delete_module, "no_such_module", O_NONBLOCK),
        CALL(__NR_kexec_load, 0, 0, 0, 0),
        CALL(__NR_kexec_file_load, file, -1, 0, "", 0),
    };
    for (int at = 0; at < 5; at++)
        if (results[at] != -EPERM && results[at] != -ENOSYS && results[at] != -EACCES) hole("a call for root", results[at]);
    return 0;
}
