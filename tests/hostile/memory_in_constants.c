/* Reads 24 MiB of constants, which are a part of the program's own file. Success: a table that is larger than the limit
 * is not counted, because it was not allocated at run time.
 *
 * limits: memory 16 MiB, cpu 3000 ms, wall 6000 ms
 * expect: MLE
 */
#include "bare.h"

extern const char table[];
__asm__(".pushsection .rodata\n.globl table\n.balign 4096\ntable: .fill 24 * 1024 * 1024, 1, 7\n.popsection\n");

static int attack(void) {
    long sum = 0;
    for (long at = 0; at < 24 * MIB; at += 4096) sum += ((const volatile char *)table)[at];
    return sum != 24 * MIB / 4096 * 7;
}
