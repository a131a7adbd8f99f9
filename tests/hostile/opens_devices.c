/* Opens all devices that may exist, except the five harmless ones. Success: a terminal, a disk, a tunnel, a virtual machine.
 *
 * basic needs: landlock 1
 * unconfined: succeeds
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    const char *devices[] = {"tty", "console", "tty0", "tty1", "ttyS0", "ptmx", "pts/0", "pts/ptmx", "hwrng", "rtc0", "kmsg",
                             "userfaultfd", "vhost-net", "vhost-vsock", "cuse", "fuse", "kvm", "net/tun", "input/event0",
                             "uinput", "snd/timer", "dri/card0", "fb0", "watchdog", "cpu_dma_latency", "ppp", "autofs",
                             "btrfs-control", "mapper/control", "loop0", "loop-control", "ram0", "mem", "port", "nvram", "hpet"};
    char path[64];
    for (unsigned long at = 0; at < sizeof devices / sizeof *devices; at++) {
        joined(path, "/dev", devices[at]);
        must_fail(path, open_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
    }
    return 0;
}
