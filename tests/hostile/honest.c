/* The program that follows each of the others in its slot: it adds up its input, and checks that its environment is as it
 * should be. Success: it finds something that an earlier run left.
 *
 * at most: cpu 100 ms, memory 32 MiB
 * expect: AC
 */
#include "bare.h"

static int files_in_folder(const char *folder) {
    char entries[1024];
    int count = 0;
    long file = open_file(folder, O_RDONLY | O_DIRECTORY), got;
    if (file < 0) return -1;
    while ((got = CALL(__NR_getdents64, file, entries, sizeof entries)) > 0)
        for (char *at = entries; at < entries + got; at += *(unsigned short *)(at + 16))
            count += !is(at + 19, ".") && !is(at + 19, "..");
    close_file(file);
    return count;
}

static long sum_of_input(void) {
    char buffer[4096];
    long sum = 0, number = 0, got;
    while ((got = CALL(__NR_read, 0, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < got; at++) {
            if (buffer[at] >= '0' && buffer[at] <= '9') {
                number = 10 * number + buffer[at] - '0';
            } else {
                sum += number, number = 0;
            }
        }
    return sum + number;
}

static void look_around(void) {
    unsigned long blocked = 0, pending = 0;
    if (files_in_folder(".") != 0) hole("files in a fresh scratch folder", files_in_folder("."));
    /* Unlike the function of the C library, the system call returns 20 minus the priority. */
    long priority = 20 - CALL(__NR_getpriority, PRIO_PROCESS, 0);
    /* The judge's own priority, where the launcher may not raise it. */
    if (priority && priority != number_in(hint("PRIORITY"))) hole("priority", priority);
    if (CALL(__NR_sched_getscheduler, 0) != 0) hole("scheduler", CALL(__NR_sched_getscheduler, 0));
    CALL(__NR_rt_sigprocmask, SIG_SETMASK, 0, &blocked, 8);
    if (blocked) hole("blocked signals", blocked);
    CALL(__NR_rt_sigpending, &pending, 8);
    if (pending) hole("pending signals", pending);
    if (CALL(__NR_wait4, -1, 0, WNOHANG, 0) != -ECHILD) hole("children it did not start", 0);
    // The launcher sets ADDR_NO_RANDOMIZE for every run, where the kernel lets it, and nothing else.
    if (CALL(__NR_personality, 0xffffffff) & ~0x0040000) hole("personality", CALL(__NR_personality, 0xffffffff));
    for (long file = 3; file < 64; file++)
        if (CALL(__NR_fcntl, file, F_GETFD) >= 0) hole("an open descriptor", file);
    long file = open_file("work", O_RDWR | O_CREAT | O_EXCL);
    if (file < 0 || CALL(__NR_write, file, "work", 4) != 4) hole("no work can be done in the scratch folder", file);
}

static int attack(void) {
    write_number(1, sum_of_input());
    say("\n");
    look_around();
    return 0;
}
