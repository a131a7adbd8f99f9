/* Opens files by their handles, which name a file without its path, so that permissions of folders are not checked. Success: it
 * opens the answer, or any other file.
 *
 * expect: AC
 */
#include "bare.h"

static void open_handle(const char *path) {
    struct {
        unsigned int size;
        int kind;
        unsigned char handle[128];
    } handle = {128, 0, {0}};
    int mount;
    if (CALL(__NR_name_to_handle_at, AT_FDCWD, path, &handle, &mount, 0) < 0) return;
    long here = open_file(".", O_RDONLY | O_DIRECTORY);
    must_fail(path, CALL(__NR_open_by_handle_at, here, &handle, O_RDONLY));
    must_fail(path, CALL(__NR_open_by_handle_at, AT_FDCWD, &handle, O_RDONLY));
}

static int attack(void) {
    open_handle(hint("ANSWER"));
    open_handle("/");
    open_handle(".");
    open_handle("/etc/shadow");
    return 0;
}
