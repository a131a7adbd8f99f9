// Runs a command as in a plain container: one that docker or podman has started without options that give it more.
// It keeps the capabilities of such a container and loses all others, and it may make no system call that the runtimes'
// default filter refuses, as far as it is of interest to a judge. Root of a machine becomes root of a container; an
// ordinary user, as with `docker run --user`, has no capability anyway.
//
//     container COMMAND [ARGUMENT]...
//
// Sources: oci/caps/defaults.go and profiles/seccomp/default.json of github.com/moby/moby, version 28.
#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BIT(capability) (1ull << (capability))

static const unsigned long long KEPT =
    BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FSETID) | BIT(CAP_FOWNER) | BIT(CAP_MKNOD) | BIT(CAP_NET_RAW) |
    BIT(CAP_SETGID) | BIT(CAP_SETUID) | BIT(CAP_SETFCAP) | BIT(CAP_SETPCAP) | BIT(CAP_NET_BIND_SERVICE) |
    BIT(CAP_SYS_CHROOT) | BIT(CAP_KILL) | BIT(CAP_AUDIT_WRITE);

// Calls that fail with EPERM. The newest ones have no name in older headers, but the same number everywhere.
static const int REFUSED[] = {
    SYS_acct, SYS_add_key, SYS_bpf, SYS_delete_module, SYS_fanotify_init, SYS_finit_module, SYS_init_module,
    SYS_kexec_load, SYS_keyctl, SYS_mount, SYS_open_by_handle_at, SYS_perf_event_open, SYS_pivot_root, SYS_quotactl,
    SYS_reboot, SYS_request_key, SYS_setns, SYS_sethostname, SYS_settimeofday, SYS_swapoff, SYS_swapon, SYS_umount2,
    SYS_unshare, SYS_userfaultfd, SYS_vhangup,
    425, 426, 427,                // io_uring_setup, io_uring_enter, io_uring_register
    428, 429, 430, 431, 432, 433, // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick
    442,                          // mount_setattr
};

// The flags of clone(2) that make a namespace.
static const unsigned NAMESPACES = 0x7e020000;

static void fail(const char *doing) {
    perror(doing);
    exit(125);
}

static void drop_capabilities(void) {
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++) {
        if (!(KEPT & BIT(capability)) && prctl(PR_CAPBSET_DROP, capability)) fail("dropping a capability");
    }
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
    data[0].effective = data[0].permitted = (unsigned)KEPT;
    data[1].effective = data[1].permitted = (unsigned)(KEPT >> 32);
    if (syscall(SYS_capset, &header, data)) fail("setting the capabilities");
}

static unsigned length;
static struct sock_filter filter[128];

static void add(unsigned short code, unsigned value, unsigned char if_true, unsigned char if_false) {
    filter[length++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0); }

static void end(unsigned value) { add(BPF_RET | BPF_K, value, 0, 0); }

// Refuses a call whose number has been loaded.
static void refuse(int call, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1);
    end(SECCOMP_RET_ERRNO | (unsigned)error);
}

static void filter_calls(void) {
    load(offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) refuse(REFUSED[i], EPERM);
    // Its flags are in memory, where no filter can read them: libc then calls clone.
    refuse(SYS_clone3, ENOSYS);
    add(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3);
    load(offsetof(struct seccomp_data, args[0]));
    add(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1);
    end(SECCOMP_RET_ERRNO | EPERM);
    // A personality is one of these; addresses that are always the same are none of them.
    load(offsetof(struct seccomp_data, nr));
    add(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 7);
    load(offsetof(struct seccomp_data, args[0]));
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 5, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, 8, 4, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0x20000, 3, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0x20008, 2, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 1, 0);
    end(SECCOMP_RET_ERRNO | EPERM);
    end(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)length, filter};
    // A runtime loads it as root, without this.
    if (geteuid() != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("giving up new privileges");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) fail("loading the filter");
}

int main(int count, char **arguments) {
    if (count < 2) {
        fputs("usage: container COMMAND [ARGUMENT]...\n", stderr);
        return 125;
    }
    filter_calls();
    if (geteuid() == 0) drop_capabilities();
    execvp(arguments[1], arguments + 1);
    fail(arguments[1]);
}
