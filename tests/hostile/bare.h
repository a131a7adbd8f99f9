/* The common part of the hostile programs: raw system calls, without a C library where none is needed, so that nothing is
 * between the program and the kernel. Each program defines `attack`, which returns the exit code; the code is 1 if it returns
 * 0 and a hole was found. Calls return what the kernel returns: a negative number is an error.
 */
#pragma once

#if __STDC_HOSTED__
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#else
#include <asm/errno.h>
#include <asm/signal.h>
#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/stat.h>
#include <linux/time.h>
#include <linux/wait.h>
#include <stddef.h>
#include <stdint.h>
#endif

#define UNUSED __attribute__((unused))
#define MIB (1L << 20)

static int attack(void);
static char **arguments UNUSED, **environment UNUSED;
static int holes;

static inline long call6(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#else
#error "the hostile programs know x86_64 and aarch64"
#endif
}

#define CALL_(number, a, b, c, d, e, f, ...) \
    call6(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
/* CALL(number, arguments...): one system call; arguments that are missing are 0. */
#define CALL(...) CALL_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

#if !__STDC_HOSTED__
void *memset(void *to, int byte, size_t count) {
    for (size_t at = 0; at < count; at++) ((volatile char *)to)[at] = byte;
    return to;
}

void *memcpy(void *to, const void *from, size_t count) {
    for (size_t at = 0; at < count; at++) ((volatile char *)to)[at] = ((const char *)from)[at];
    return to;
}
#endif

static long length(const char *text) {
    long count = 0;
    while (text[count]) count++;
    return count;
}

UNUSED static int is(const char *one, const char *other) {
    while (*one && *one == *other) one++, other++;
    return *one == *other;
}

UNUSED static int starts_with(const char *text, const char *start) {
    while (*start && *text == *start) text++, start++;
    return !*start;
}

static void write_text(int stream, const char *text) { CALL(__NR_write, stream, text, length(text)); }

static void write_number(int stream, long number) {
    char digits[24], *at = digits + sizeof digits;
    unsigned long rest = number < 0 ? -number : number;
    *--at = 0;
    do *--at = '0' + rest % 10;
    while (rest /= 10);
    if (number < 0) *--at = '-';
    write_text(stream, at);
}

UNUSED static void say(const char *text) { write_text(1, text); }

/* Reports that the attack succeeded, and makes the exit code 1. */
static void hole(const char *what, long result) {
    holes++;
    write_text(1, "hole: "), write_text(1, what), write_text(1, " gave "), write_number(1, result);
    write_text(1, "\n");
}

/* Prints a refusal with its error number on standard error, to show whether the call was refused or malformed. */
UNUSED static void must_fail(const char *what, long result) {
    if (result >= 0) {
        hole(what, result);
        return;
    }
    write_text(2, "refused: "), write_text(2, what), write_text(2, ": "), write_number(2, -result);
    write_text(2, "\n");
}
#define MUST_FAIL(attempt) must_fail(#attempt, (long)(attempt))

__attribute__((noreturn)) UNUSED static void leave(int code) {
    for (;;) CALL(__NR_exit_group, code);
}

UNUSED static long number_in(const char *text) {
    long number = 0;
    while (*text >= '0' && *text <= '9') number = 10 * number + *text++ - '0';
    return number;
}

/* what attackers know in advance: `ANSWER`, `JUDGE`, ... (see sandboxes.rs). Empty if it is not set. */
UNUSED static const char *hint(const char *name) {
    for (char **variable = environment; *variable; variable++)
        if (starts_with(*variable, name) && (*variable)[length(name)] == '=') return *variable + length(name) + 1;
    return "";
}

/* Whether a path is the scratch folder, or a link to it. */
UNUSED static int is_scratch(const char *path) {
    char target[4200];
    long length = CALL(__NR_readlinkat, AT_FDCWD, path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    return is(path, hint("HOME")) || is(target, hint("HOME"));
}

UNUSED static long open_file(const char *path, int flags) { return CALL(__NR_openat, AT_FDCWD, path, flags, 0666); }

UNUSED static void close_file(long file) { CALL(__NR_close, file); }

/* Writes "FOLDER/NAME". */
UNUSED static char *joined(char *to, const char *folder, const char *name) {
    char *at = to;
    while (*folder) *at++ = *folder++;
    *at++ = '/';
    while ((*at++ = *name++)) {
    }
    return to;
}

/* Writes "BEFORE", the number, "AFTER". */
UNUSED static char *numbered(char *to, const char *before, long number, const char *after) {
    char digits[24], *digit = digits;
    char *at = to;
    while (*before) *at++ = *before++;
    do *digit++ = '0' + number % 10;
    while (number /= 10);
    while (digit > digits) *at++ = *--digit;
    while ((*at++ = *after++)) {
    }
    return to;
}

UNUSED static long split(void) { return CALL(__NR_clone, SIGCHLD); }

UNUSED static long wait_for(long process, int *status) { return CALL(__NR_wait4, process, status, 0, 0); }

UNUSED static void signal_to(long process, int number) { CALL(__NR_kill, process, number); }

UNUSED static long ignore(int number) {
    long action[8] = {1};
    return CALL(__NR_rt_sigaction, number, action, 0, 8);
}

UNUSED static long now_ms(int clock) {
    long time[2] = {0, 0};
    CALL(__NR_clock_gettime, clock, time);
    return time[0] * 1000 + time[1] / 1000000;
}

UNUSED static void burn_ms(long ms) {
    long end = now_ms(CLOCK_THREAD_CPUTIME_ID) + ms;
    while (now_ms(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
}

UNUSED static void nap_ms(long ms) {
    long time[2] = {ms / 1000, ms % 1000 * 1000000};
    CALL(__NR_nanosleep, time, 0);
}

__attribute__((noreturn)) UNUSED static void sleep_for_ever(void) {
    for (;;) nap_ms(1000000);
}

__attribute__((noreturn)) UNUSED static void burn_for_ever(void) {
    for (volatile long count = 0;; count++) {
    }
}

/* Maps memory without touching it; an error is a small negative number. */
UNUSED static char *map(long bytes, int flags) {
    return (char *)CALL(__NR_mmap, 0, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
}

UNUSED static int is_error(const void *result) { return (unsigned long)result > -4096UL; }

/* Writes a byte to each page. */
UNUSED static void touch(char *memory, long bytes) {
    for (long at = 0; at < bytes; at += 4096) ((volatile char *)memory)[at] = 1;
}

#if __STDC_HOSTED__
int main(int count, char **given, char **variables) {
    (void)count;
    arguments = given, environment = variables;
    int code = attack();
    return code ? code : holes != 0;
}
#else
__attribute__((used, noreturn)) static void start(long *stack) {
    arguments = (char **)(stack + 1);
    environment = arguments + stack[0] + 1;
    int code = attack();
    leave(code ? code : holes != 0);
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call start\n hlt\n");
#else
__asm__(".globl _start\n_start: mov x29, #0\n mov x0, sp\n and sp, x0, #-16\n bl start\n");
#endif
#endif
