// Never allocates the grid it reads into: RE, killed by SIGSEGV.
#include <stdio.h>

static int *grid;

int main(void) {
    for (int i = 0; i < 81; i++) {
        if (scanf("%d", &grid[i]) != 1) return 1;
    }
    for (int i = 0; i < 81; i++) printf("%d%c", grid[i], i % 9 == 8 ? '\n' : ' ');
}
