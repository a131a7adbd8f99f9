/* Makes a system call of the 32-bit kind, whose numbers mean other calls, so that a filter of 64-bit numbers lets pass what it
 * should not. The filter cannot well answer such a program but by SIGSYS (a kernel without 32-bit calls: SIGSEGV). Success: the
 * call is answered.
 *
 * expect: RE:SIGSYS|RE:SIGSEGV
 */
#include "bare.h"

static int play(void) {
#if defined(__x86_64__)
    long result = 20 /* getpid */;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    hole("a 32-bit call", result);
#else
    signal_to(CALL(__NR_getpid), SIGSYS);
#endif
    return 0;
}
