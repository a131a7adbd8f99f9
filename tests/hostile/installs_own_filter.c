/* Installs a filter of its own that makes exit_group fail, calls it, and burns on. Success: it neither ends nor is stopped.
 *
 * expect: TLE
 */
#include "bare.h"
#include <linux/filter.h>
#include <linux/seccomp.h>

static long install(struct sock_filter *filter, int instructions) {
    struct sock_fprog program = {instructions, filter};
    CALL(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return CALL(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static int attack(void) {
    struct sock_filter immortal[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_exit_group, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    install(immortal, 4);
    CALL(__NR_exit_group, 0);
    burn_for_ever();
}
