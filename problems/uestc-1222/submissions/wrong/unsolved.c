// Prints the grids as they were read, stars and all: WA unless nothing was blank.
#include <stdio.h>
#include <stdlib.h>

static char grid[17];

static void read_grid(void) {
    for (int row = 0; row < 4; row++) {
        if (scanf("%4s", grid + 4 * row) != 1) exit(1);
    }
}

static void print_grid(void) {
    for (int row = 0; row < 4; row++) printf("%.4s\n", grid + 4 * row);
}

int main(void) {
    int cases;
    if (scanf("%d", &cases) != 1) return 1;
    for (int n = 1; n <= cases; n++) {
        read_grid();
        printf("Case #%d:\n", n);
        print_grid();
    }
}
