/* Makes the system calls by which root administers a machine: the host's name, swap, accounting, quotas, the kernel's log, the
 * keys that reboot. Success: one of them is not refused.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    char log[256];
    long file = open_file("swap", O_RDWR | O_CREAT);
    CALL(__NR_ftruncate, file, 65536);
    MUST_FAIL(CALL(__NR_swapon, "swap", 0));
    MUST_FAIL(CALL(__NR_swapoff, "swap"));
    MUST_FAIL(CALL(__NR_acct, "swap"));
    MUST_FAIL(CALL(__NR_reboot, 0xfee1dead, 672274793, 0x89abcdef /* Ctrl-Alt-Del on */, 0));
    MUST_FAIL(CALL(__NR_sethostname, "hostile", 7));
    MUST_FAIL(CALL(__NR_setdomainname, "hostile", 7));
    MUST_FAIL(CALL(__NR_quotactl, 0x800007 << 8, "/dev/vda", 0, log));
    MUST_FAIL(CALL(__NR_syslog, 3 /* read all */, log, sizeof log));
    MUST_FAIL(CALL(__NR_syslog, 10 /* its size */, 0, 0));
    MUST_FAIL(CALL(__NR_vhangup));
    return 0;
}
