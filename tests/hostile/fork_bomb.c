/* Forks without end, so that nothing else on the machine can start a process or get a processor. Success: the judge, or
 * another run, starves. A confined run is stopped by the limit of processes and then by its CPU time, or, where a
 * control group counts the memory of the kernel, by what refused processes leave there until the kernel collects it.
 *
 * expect: TLE|MLE
 */
#include "bare.h"

static int attack(void) {
    for (;;) split();
}
