/* Reads what only root may read, and what only its owner should: passwords, keys, logs, disks, the machine's memory. Success: it
 * opens one.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    const char *files[] = {"/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/root", "/root/.ssh", "/root/.bash_history",
                           "/home", "/var/log", "/var/log/syslog", "/var/lib", "/proc/kcore", "/proc/kmsg", "/dev/mem",
                           "/dev/kmsg", "/dev/port", "/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/kvm", "/dev/fuse",
                           "/dev/loop-control", "/dev/net/tun", "/dev/vsock", "/dev/snapshot", "/run",
                           "/run/secrets", "/var/run/docker.sock", "/boot", "/proc/1/environ", "/proc/vmallocinfo",
                           "/sys/kernel/debug/sched", "/sys/kernel/tracing/trace", "/mnt", "/opt", "/srv"};
    for (unsigned long at = 0; at < sizeof files / sizeof *files; at++) must_fail(files[at], open_file(files[at], O_RDONLY));
    return 0;
}
