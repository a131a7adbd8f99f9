/* A whole program in 200 bytes, for programs that run what they have written themselves: it tries to open an internet socket
 * and exits with 1 if it gets one, else with 5. */
#pragma once
#include "bare.h"

extern const char tiny_code[], tiny_code_end[];
#if defined(__x86_64__)
#define TINY_MACHINE 62
__asm__(".pushsection .rodata\n.globl tiny_code, tiny_code_end\n"
        "tiny_code: mov $41, %eax\n mov $2, %edi\n mov $2, %esi\n xor %edx, %edx\n syscall\n"
        "mov $1, %edi\n test %rax, %rax\n jns 1f\n mov $5, %edi\n1: mov $231, %eax\n syscall\n"
        "tiny_code_end:\n.popsection\n");
#else
#define TINY_MACHINE 183
__asm__(".pushsection .rodata\n.globl tiny_code, tiny_code_end\n.balign 4\n"
        "tiny_code: mov x8, #198\n mov x0, #2\n mov x1, #2\n mov x2, #0\n svc 0\n"
        "cmp x0, #0\n mov x0, #1\n b.ge 1f\n mov x0, #5\n1: mov x8, #94\n svc 0\n"
        "tiny_code_end:\n.popsection\n");
#endif

/* Writes the program to a file. */
UNUSED static long write_tiny(long file) {
    struct {
        unsigned char ident[16];
        unsigned short type, machine;
        unsigned int version;
        unsigned long entry, program_headers, section_headers;
        unsigned int flags;
        unsigned short sizes[6];
        unsigned int load, access;
        unsigned long offset, address, physical, in_file, in_memory, alignment;
        char code[256];
    } tiny = {.ident = {0x7f, 'E', 'L', 'F', 2, 1, 1}, .type = 2, .machine = TINY_MACHINE, .version = 1};
    long code = tiny_code_end - tiny_code, header = (char *)tiny.code - (char *)&tiny;
    tiny.entry = 0x400000 + header, tiny.program_headers = 64;
    tiny.sizes[0] = 64, tiny.sizes[1] = 56, tiny.sizes[2] = 1;
    tiny.load = 1, tiny.access = 5, tiny.address = tiny.physical = 0x400000, tiny.alignment = 0x10000;
    tiny.in_file = tiny.in_memory = header + code;
    for (long at = 0; at < code; at++) tiny.code[at] = tiny_code[at];
    return CALL(__NR_write, file, &tiny, header + code);
}

/* Becomes the program, from a file in memory. Returns only if that is refused. */
UNUSED static long become_tiny_from_memory(void) {
    char *none[] = {0};
    long file = CALL(__NR_memfd_create, "tiny", 0x10 /* MFD_EXEC */);
    if (file < 0) file = CALL(__NR_memfd_create, "tiny", 0);
    if (file < 0) return file;
    write_tiny(file);
    return CALL(__NR_execveat, file, "", none, none, AT_EMPTY_PATH);
}

/* The same from a file in the scratch folder. */
UNUSED static long become_tiny_from_scratch(void) {
    char *none[] = {0};
    long file = CALL(__NR_openat, AT_FDCWD, "tiny", O_WRONLY | O_CREAT, 0777);
    if (file < 0) return file;
    write_tiny(file);
    close_file(file);
    return CALL(__NR_execve, "tiny", none, none);
}
