/* Makes a map and loads a program of BPF. Success: either.
 *
 * expect: AC
 */
#include "bare.h"

static int attack(void) {
    unsigned int map[18] = {2 /* array */, 4, 8, 1};
    MUST_FAIL(CALL(__NR_bpf, 0 /* map */, map, sizeof map));
    unsigned long code[2] = {0xb7, 0x95};
    struct {
        unsigned int kind, instructions;
        const void *code;
        const char *license;
        char rest[96];
    } program = {1 /* socket filter */, 2, code, "GPL", {0}};
    MUST_FAIL(CALL(__NR_bpf, 5 /* program */, &program, sizeof program));
    return 0;
}
