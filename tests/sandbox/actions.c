/* Actions of hostile, broken and honest programs: `actions NAME [ARGUMENT]` performs one of them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static const char *argument = "";

static long number(void) { return atol(argument); }

static double cpu_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void burn_ms(long ms) {
    double end = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) + ms / 1e3;
    while (cpu_seconds(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
}

static int do_nothing(void) { return 0; }

static int echo(void) {
    char buffer[65536];
    ssize_t got;
    while ((got = read(0, buffer, sizeof buffer)) > 0)
        if (write(1, buffer, got) != got) return 1;
    return 0;
}

static int exit_with(void) { return number(); }

static int raise_signal(void) {
    kill(getpid(), number());
    return 99;
}

static int abort_itself(void) { abort(); }

static int show_ids(void) {
    printf("%d %d\n", getpid(), getppid());
    return 0;
}

/* Prints the process numbers of this process and of its first two children. */
static int show_child_ids(void) {
    int ids[2];
    for (int child = 0; child < 2; child++) {
        ids[child] = fork();
        if (ids[child] == 0) _exit(0);
        waitpid(ids[child], NULL, 0);
    }
    printf("%d %d %d\n", getpid(), ids[0], ids[1]);
    return 0;
}

static int burn(void) {
    burn_ms(number());
    return 0;
}

static int sleep_forever(void) {
    pause();
    return 0;
}

static int stop_itself(void) {
    raise(SIGSTOP);
    return 0;
}

static int ignore_signals(void) {
    for (int signal_number = 1; signal_number < 65; signal_number++) signal(signal_number, SIG_IGN);
    for (;;) pause();
}

static int close_streams_and_hang(void) {
    close(0), close(1), close(2);
    for (;;) pause();
}

static int show_personality(void) { return printf("%x", (unsigned)personality(0xffffffff)) < 1; }

static int fill_malloc(void) {
    for (;;) memset(malloc(1 << 20), 1, 1 << 20);
}

static int fill_mapping(void) {
    for (;;)
        memset(mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, 1 << 20);
}

static int recurse_below(volatile char *above) {
    volatile char here[512];
    memset((char *)here, *above + 1, sizeof here);
    return recurse_below(here) + here[1];
}

static int recurse(void) {
    char top = 0;
    return recurse_below(&top);
}

/* Touches this many MiB of memory in pages, none of them huge, and exits with 0. */
static int hold(void) {
    if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) return 1;
    memset(malloc(number() << 20), 1, number() << 20);
    return 0;
}

static pthread_t first_thread;

static void *go_on_alone(void *action) {
    pthread_join(first_thread, NULL);
    _exit(((int (*)(void))action)());
}

/* Ends its first thread, and does this in another one. */
static int in_last_thread(int (*action)(void)) {
    pthread_t thread;
    first_thread = pthread_self();
    if (pthread_create(&thread, NULL, go_on_alone, action) != 0) return 1;
    pthread_exit(NULL);
}

static int hold_in_last_thread(void) { return in_last_thread(hold); }

static int fill_in_last_thread(void) { return in_last_thread(fill_malloc); }

/* Touches this many MiB in each of four children at the same time, and exits with 0. */
static int hold_in_children_and_exit(void) {
    int touched[2];
    char byte;
    if (pipe(touched) != 0) return 1;
    for (int child = 0; child < 4; child++)
        if (fork() == 0) {
            memset(malloc(number() << 20), 1, number() << 20);
            if (write(touched[1], "x", 1) != 1) _exit(1);
            for (;;) pause();
        }
    for (int child = 0; child < 4; child++)
        if (read(touched[0], &byte, 1) != 1) return 2;
    return 0;
}

static char block[1 << 20];

/* Writes 8 MiB, so that no file is too large. Returns whether there was room for them. */
static int fill_file(int file) {
    memset(block, 'x', sizeof block);
    for (int written = 0; written < 8; written++)
        if (write(file, block, sizeof block) != sizeof block) return 0;
    return 1;
}

static int fill_memfd(void) {
    for (;;) {
        int file = memfd_create("file", 0);
        if (file < 0) return errno;
        fill_file(file);
    }
}

static int fill_scratch(void) {
    for (int next = 0;; next++) {
        char name[32];
        snprintf(name, sizeof name, "file%d", next);
        if (!fill_file(open(name, O_WRONLY | O_CREAT, 0600))) return 0;
    }
}

static int fill_named_memory(void) {
    for (int next = 0;; next++) {
        char name[32];
        snprintf(name, sizeof name, "/memory%d", next);
        int file = shm_open(name, O_RDWR | O_CREAT, 0600);
        if (file < 0) return errno;
        if (!fill_file(file)) return 0;
    }
}

/* Shared memory whose pages this process releases again: no process shows it as its own. */
static int fill_shared(void) {
    for (;;) {
        char *piece = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (piece == MAP_FAILED) return errno;
        memset(piece, 1, 1 << 20);
        madvise(piece, 1 << 20, MADV_DONTNEED);
    }
}

static int read_file(void) {
    int file = open(argument, O_RDONLY);
    if (file < 0) return errno;
    while (read(file, block, sizeof block) > 0) {
    }
    return 0;
}

/* Maps a file and reads every page, as a loader does with a library. */
static int map_file(void) {
    int file = open(argument, O_RDONLY);
    struct stat found;
    if (file < 0 || fstat(file, &found) != 0) return errno;
    volatile char *start = mmap(NULL, found.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (start == MAP_FAILED) return errno;
    for (off_t at = 0; at < found.st_size; at += 4096) (void)start[at];
    return 0;
}

/* Touches this many MiB of memory and releases them. */
static int hold_and_release(long mib) {
    char *memory = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    memset(memory, 1, mib << 20);
    return munmap(memory, mib << 20) != 0;
}

static int hide_peak_behind_output(void) {
    if (hold_and_release(100) != 0) return 1;
    return fallocate(1, 0, 0, 50 << 20) != 0 || fallocate(2, 0, 0, 50 << 20) != 0;
}

static int hide_peak_behind_file(void) {
    if (hold_and_release(100) != 0) return 1;
    return read_file();
}

/* Touches this many MiB in each of four children at once. */
static int hold_in_children(void) {
    for (int child = 0; child < 4; child++)
        if (fork() == 0) {
            memset(malloc(number() << 20), 1, number() << 20);
            for (;;) pause();
        }
    for (;;) pause();
}

static int reserve(void) {
    return mmap(NULL, number() << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
           MAP_FAILED;
}

static int write_bytes(void) {
    memset(block, 'x', sizeof block);
    for (long left = number(); left > 0;) {
        ssize_t put = write(1, block, left < (long)sizeof block ? left : (long)sizeof block);
        if (put <= 0) return 1;
        left -= put;
    }
    return 0;
}

static int flood(void) {
    for (;;)
        if (write(number(), "flood\n", 6) < 0 && errno != EFBIG) return 1;
}

static int flood_ignoring_the_signal(void) {
    signal(SIGXFSZ, SIG_IGN);
    static char block[65536];
    while (write(1, block, sizeof block) > 0) {
    }
    return 0;
}

static int extend_output(void) { return ftruncate(1, 1L << 40) != 0; }

static int write_errors(void) {
    for (int line = 0; line < 2000; line++) fprintf(stderr, "line %d\n", line);
    return 3;
}

static int read_own_output(void) {
    char byte;
    if (write(1, "x", 1) != 1) return 9;
    if (pread(1, &byte, 1, 0) == 1) return 1;
    int again = open("/proc/self/fd/1", O_RDONLY);
    return getuid() >= 60001 && again >= 0 ? 2 : 0;
}

static int show_user(void) { return printf("%u\n", getuid()) < 0; }

static int write_own_input(void) {
    int again = open("/proc/self/fd/0", O_RDWR);
    if (write(0, "x", 1) == 1) return 1;
    if (again >= 0 && pwrite(again, "x", 1, 0) == 1) return 2;
    if (again >= 0 && ftruncate(again, 0) == 0) return 3;
    return 0;
}

/* An orphan in a session of its own that holds all streams open. */
static int leave_orphan(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;) pause();
        for (;;) pause();
    }
    return 0;
}

static int sleep_with_orphan(void) {
    if (fork() == 0) setsid();
    for (;;) pause();
}

static int leave_busy_orphan(void) {
    if (fork() == 0) {
        setsid();
        for (;;) {
        }
    }
    return 0;
}

static int burn_in_child(void) {
    if (fork() == 0) {
        burn_ms(number());
        _exit(0);
    }
    wait(NULL);
    return 0;
}

/* Burns CPU time in a grandchild whose parent has ended, while the first process waits. */
static int burn_in_orphan(void) {
    int done[2];
    char byte;
    if (pipe(done) != 0) return 1;
    if (fork() == 0) {
        if (fork() == 0) {
            burn_ms(number());
            _exit(0);
        }
        _exit(0);
    }
    wait(NULL);
    close(done[1]);
    return read(done[0], &byte, 1) == 0 ? 0 : 2;
}

/* The kernel adds the time of a child to no other process if SIGCHLD is ignored. */
static int burn_in_ignored_child(void) {
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0) {
        burn_ms(number());
        _exit(0);
    }
    wait(NULL);
    return 0;
}

static void *burn_thread(void *unused) {
    burn_ms(number());
    return unused;
}

static int burn_in_threads(void) {
    pthread_t threads[4];
    for (int thread = 0; thread < 4; thread++) pthread_create(&threads[thread], NULL, burn_thread, NULL);
    for (int thread = 0; thread < 4; thread++) pthread_join(threads[thread], NULL);
    return 0;
}

static int burn_in_children(void) {
    for (int child = 0; child < 4; child++)
        if (fork() == 0) {
            burn_ms(number());
            _exit(0);
        }
    while (wait(NULL) > 0) {
    }
    return 0;
}

/* Children that burn a millisecond each, one after the other, while the first process waits for them. */
static int burn_in_short_children(void) {
    for (long child = 0; child < number(); child++) {
        if (fork() == 0) {
            burn_ms(1);
            _exit(0);
        }
        if (wait(NULL) < 0) return 1;
    }
    return 0;
}

/* Processes that burn a millisecond each, start the next one and end, while the first process waits for the last. */
static int burn_in_chain(void) {
    int done[2];
    char byte;
    if (pipe(done) != 0) return 1;
    if (fork() == 0)
        for (long link = 1;; link++) {
            burn_ms(1);
            if (link == number() || fork() != 0) _exit(0);
        }
    close(done[1]);
    return read(done[0], &byte, 1) == 0 ? 0 : 2;
}

static void *spin(void *unused) {
    for (volatile long turn = 0;; turn++) {
    }
    return unused;
}

static void *spin_at_idle_priority(void *unused) {
    struct sched_param lowest = {0};
    sched_setscheduler(0, SCHED_IDLE, &lowest);
    return spin(unused);
}

static void *spin_nicely(void *unused) {
    setpriority(PRIO_PROCESS, 0, 19);
    return spin(unused);
}

/* Waits for ever, beside threads that never stop running. */
static int wait_beside(void *(*threads)(void *), int count) {
    pthread_t thread;
    while (count-- > 0) pthread_create(&thread, NULL, threads, NULL);
    for (;;) pause();
}

static int wait_beside_idle_threads(void) { return wait_beside(spin_at_idle_priority, 2); }

static int wait_beside_nice_threads(void) { return wait_beside(spin_nicely, 2); }

static int wait_beside_threads_on_one_processor(void) {
    cpu_set_t all, first;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&first);
    for (int processor = 0; CPU_COUNT(&first) == 0; processor++)
        if (CPU_ISSET(processor, &all)) CPU_SET(processor, &first);
    sched_setaffinity(0, sizeof first, &first);
    return wait_beside(spin, 12);
}

static int fork_bomb(void) {
    for (;;) fork();
}

/* A chain of processes, each of which forks the next into a session of its own and exits. */
static int fork_chains(void) {
    for (int chain = 0; chain < 4; chain++)
        if (fork() == 0)
            for (;;) {
                setsid();
                if (fork() > 0) _exit(0);
            }
    usleep(20000);
    return 0;
}

static int count_forks(void) {
    int children = 0;
    for (; children < 200; children++) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0)
            for (;;) pause();
    }
    printf("%d\n", children);
    return 0;
}

static int kill_all_processes(void) {
    kill(-1, SIGKILL);
    return 0;
}

/* A parent of number 0 is in another namespace; process 1 is the init of the own namespace. */
static int kill_parent(void) {
    if (getppid() > 0) kill(getppid(), SIGKILL);
    if (getpid() == 2) kill(1, SIGKILL);
    return 0;
}

/* Opens a file, and exits with the error number if that fails. */
static int open_file(void) { return open(argument, O_RDONLY) < 0 ? errno : 0; }

static int create_file(void) { return open(argument, O_WRONLY | O_CREAT, 0644) < 0 ? errno : 0; }

static int list_folder(void) {
    struct dirent **entries;
    int count = scandir(argument, &entries, NULL, alphasort);
    if (count < 0) return errno;
    for (int entry = 0; entry < count; entry++)
        if (entries[entry]->d_name[0] != '.') printf("%s ", entries[entry]->d_name);
    return 0;
}

static int show_streams(void) {
    for (int stream = 0; stream < 10; stream++) {
        char name[64], target[4096] = "";
        snprintf(name, sizeof name, "/proc/self/fd/%d", stream);
        if (readlink(name, target, sizeof target - 1) > 0) printf("%d %s\n", stream, target);
    }
    return 0;
}

static int show_environment(void) {
    for (char **variable = environ; *variable; variable++) puts(*variable);
    return 0;
}

static int show_folder_and_signals(void) {
    char folder[4096];
    printf("%s\n", getcwd(folder, sizeof folder));
    printf("session %s\n", getsid(0) == getpid() ? "own" : "not own");
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int signal_number = 1; signal_number < 32; signal_number++) {
        struct sigaction action;
        if (sigismember(&blocked, signal_number)) printf("blocked %d\n", signal_number);
        if (sigaction(signal_number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
            printf("changed %d\n", signal_number);
    }
    return 0;
}

static int leave_files(void) {
    mkdir("folder", 0777);
    symlink("/", "link");
    FILE *file = fopen("folder/file", "w");
    if (!file) return 1;
    fputs("left", file);
    mkdir("locked", 0777), mkdir("locked/inner", 0777), mkdir("locked/inner/most", 0777);
    chmod("locked/inner", 0), chmod("locked", 0);
    chmod(".", 0);
    return fclose(file);
}

static int count_files(void) {
    int count = 0;
    DIR *folder = opendir(".");
    if (!folder) return 255;
    while (readdir(folder)) count++;
    return count - 2;
}

static int make_deep_folders(void) {
    for (long level = 0; level < number(); level++)
        if (mkdir("d", 0700) != 0 || chdir("d") != 0) return 1;
    return creat("file", 0600) < 0;
}

static int leave_many_files(void) {
    char name[32];
    for (long file = 0; file < number(); file++) {
        snprintf(name, sizeof name, "%ld", file);
        close(creat(name, 0600));
    }
    return 0;
}

/* Opens a socket of this family, and exits with the error number if that fails. */
static int open_socket(void) { return socket(number(), SOCK_DGRAM, 0) < 0 ? errno : 0; }

static int pair_sockets(void) {
    int pair[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 ? errno : 0;
}

static int become_root(void) { return setuid(0) == 0; }

static const struct {
    const char *name;
    int (*run)(void);
} ACTIONS[] = {
#define ACTION(name) {#name, name}
    ACTION(do_nothing), ACTION(echo), ACTION(exit_with), ACTION(raise_signal), ACTION(abort_itself),
    ACTION(show_ids), ACTION(show_child_ids), ACTION(burn), ACTION(sleep_forever), ACTION(stop_itself),
    ACTION(ignore_signals), ACTION(close_streams_and_hang), ACTION(show_personality), ACTION(fill_malloc), ACTION(fill_mapping),
    ACTION(recurse), ACTION(hold), ACTION(hold_in_last_thread), ACTION(fill_in_last_thread),
    ACTION(hold_in_children_and_exit), ACTION(fill_memfd), ACTION(fill_scratch),
    ACTION(fill_named_memory), ACTION(fill_shared), ACTION(read_file), ACTION(map_file),
    ACTION(hide_peak_behind_output), ACTION(hide_peak_behind_file), ACTION(hold_in_children), ACTION(reserve),
    ACTION(write_bytes), ACTION(flood), ACTION(flood_ignoring_the_signal), ACTION(extend_output),
    ACTION(write_errors), ACTION(read_own_output), ACTION(write_own_input), ACTION(leave_orphan),
    ACTION(leave_busy_orphan), ACTION(sleep_with_orphan), ACTION(burn_in_child), ACTION(burn_in_orphan),
    ACTION(burn_in_ignored_child), ACTION(burn_in_threads), ACTION(burn_in_children),
    ACTION(burn_in_short_children), ACTION(burn_in_chain), ACTION(wait_beside_idle_threads),
    ACTION(wait_beside_nice_threads), ACTION(wait_beside_threads_on_one_processor), ACTION(fork_bomb),
    ACTION(fork_chains), ACTION(count_forks), ACTION(kill_all_processes), ACTION(kill_parent), ACTION(open_file),
    ACTION(create_file), ACTION(list_folder), ACTION(show_streams), ACTION(show_environment),
    ACTION(show_folder_and_signals), ACTION(leave_files), ACTION(count_files), ACTION(make_deep_folders),
    ACTION(leave_many_files), ACTION(open_socket), ACTION(pair_sockets), ACTION(become_root),
    ACTION(show_user),
};

int main(int count, char **arguments) {
    if (count > 2) argument = arguments[2];
    for (size_t action = 0; action < sizeof ACTIONS / sizeof *ACTIONS; action++)
        if (count > 1 && strcmp(ACTIONS[action].name, arguments[1]) == 0) return ACTIONS[action].run();
    return 98;
}
