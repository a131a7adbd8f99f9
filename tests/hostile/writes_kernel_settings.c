/* Writes to the kernel's own files: settings, control groups, its own score for when memory runs out, maps of users, the
 * SysRq trigger. Success: one opens for writing.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    const char *files[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/overcommit_memory",
                           "/proc/sysrq-trigger", "/proc/self/oom_score_adj", "/proc/self/oom_adj", "/proc/self/uid_map",
                           "/proc/self/setgroups", "/proc/self/mem", "/proc/self/clear_refs", "/proc/self/comm",
                           "/proc/self/timerslack_ns", "/proc/self/coredump_filter", "/proc/self/sched",
                           "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/tasks", "/sys/fs/cgroup/pids/tasks",
                           "/sys/fs/cgroup/memory/release_agent", "/sys/kernel/uevent_helper", "/sys/power/state"};
    for (unsigned long at = 0; at < sizeof files / sizeof *files; at++) must_fail(files[at], open_file(files[at], O_WRONLY));
    MUST_FAIL(CALL(__NR_mkdirat, AT_FDCWD, "/sys/fs/cgroup/hostile", 0777));
    MUST_FAIL(CALL(__NR_mkdirat, AT_FDCWD, "/sys/fs/cgroup/memory/hostile", 0777));
    return 0;
}
