/* Makes a 32-bit system call, whose number means another call, so that a filter of 64-bit numbers would let the wrong calls
 * pass. The filter has no better answer than SIGSYS (on a kernel without 32-bit calls: SIGSEGV). Success: the call is executed.
 *
 * expect: RE:SIGSYS|RE:SIGSEGV
 */
#include "bare.h"

static int attack(void) {
#if defined(__x86_64__)
    long result = 20 /* getpid */;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    hole("a 32-bit call", result);
#else
    signal_to(CALL(__NR_getpid), SIGSYS);
#endif
    return 0;
}
