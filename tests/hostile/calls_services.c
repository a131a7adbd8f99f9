/* Connects to the sockets by which a system's services are reached: the message bus, the log, the container daemon, the name
 * cache. Success: one answers.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    const char *paths[] = {"/run/dbus/system_bus_socket", "/run/docker.sock", "/var/run/docker.sock", "/dev/log",
                           "/run/systemd/journal/socket", "/run/systemd/notify", "/run/nscd/socket", "/run/snapd.socket",
                           "/tmp/.X11-unix/X0", "/run/containerd/containerd.sock"};
    struct {
        unsigned short family;
        char path[108];
    } service = {1, ""};
    for (unsigned long at = 0; at < sizeof paths / sizeof *paths; at++)
        for (int kind = 1; kind <= 2; kind++) {
            long socket = CALL(__NR_socket, 1, kind, 0);
            numbered(service.path, paths[at], 0, "");
            service.path[length(paths[at])] = 0;
            if (socket >= 0) must_fail(paths[at], CALL(__NR_connect, socket, &service, sizeof service));
            close_file(socket);
        }
    return 0;
}
