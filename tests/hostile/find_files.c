/* Looks for what an earlier run may have left in the scratch folder: files, odd modes, attributes. Success: it finds
 * something, so that one run can tell another what it has read.
 *
 * expect: AC
 */
#include "bare.h"

static void look_at_folder(void) {
    /* The fields of struct statx: mode at byte 28, links at 16, attributes at 8. */
    char stat[256] = {0}, names[256], entries[1024];
    CALL(__NR_statx, AT_FDCWD, ".", 0, 0xfff, stat);
    int mode = *(unsigned short *)(stat + 28) & 07777;
    if ((mode & 0700) != 0700 || mode & 06000) hole("the mode of the folder", mode);
    unsigned long attributes = *(unsigned long *)(stat + 8) & 0x74;
    if (attributes) hole("its attributes", attributes);
    long size = CALL(__NR_listxattr, ".", names, sizeof names);
    for (long at = 0; at < size; at += length(names + at) + 1)
        if (starts_with(names + at, "user.") || starts_with(names + at, "system.")) hole(names + at, size);
    long folder = open_file(".", O_RDONLY | O_DIRECTORY), got;
    if (folder < 0) hole("its folder cannot be opened", -folder);
    while ((got = CALL(__NR_getdents64, folder, entries, sizeof entries)) > 0)
        for (char *at = entries; at < entries + got; at += *(unsigned short *)(at + 16))
            if (!is(at + 19, ".") && !is(at + 19, "..")) hole(at + 19, 0);
}

static int attack(void) {
    char here[4096];
    const char *home = hint("HOME");
    if (CALL(__NR_getcwd, here, sizeof here) < 0 || !is(here, home)) hole("its home is not where it is", 0);
    look_at_folder();
    /* The hint and the resolved name are the same folder. */
    if (CALL(__NR_chdir, home) < 0) hole("its home cannot be entered", 0);
    look_at_folder();
    return 0;
}
