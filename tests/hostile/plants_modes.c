/* Removes all permissions of its scratch folder, sets its set-user, set-group and sticky bits, and attaches attributes and an
 * access list to it. Success: they are still there in the next run, or the folder can no longer be used.
 *
 * then: find_files
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    CALL(__NR_setxattr, ".", "user.note", "the answer is 42", 16, 0);
    /* An access list: version 2; owner, one user, group, mask, others. */
    struct {
        unsigned int version;
        struct {
            unsigned short tag, rights;
            unsigned int id;
        } entries[5];
    } list = {2, {{1, 7, -1}, {2, 7, 12345}, {4, 7, -1}, {16, 7, -1}, {32, 7, -1}}};
    CALL(__NR_setxattr, ".", "system.posix_acl_access", &list, sizeof list, 0);
    CALL(__NR_setxattr, ".", "system.posix_acl_default", &list, sizeof list, 0);
    long folder = open_file(".", O_RDONLY | O_DIRECTORY), flags = 0x40 /* no dump */ | 0x80 /* no atime */;
    CALL(__NR_ioctl, folder, 0x40086602 /* FS_IOC_SETFLAGS */, &flags);
    flags |= 0x10 | 0x20 /* immutable, append only */;
    MUST_FAIL(CALL(__NR_ioctl, folder, 0x40086602, &flags));
    CALL(__NR_fchmodat, AT_FDCWD, ".", 07000);
    return 0;
}
