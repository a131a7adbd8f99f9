// Checks the rows only: WA, a number twice in a column.
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 5, CELLS = ORDER * ORDER };

static int grid[CELLS];

static int fits(int cell, int value) {
    for (int i = 0; i < CELLS; i++) {
        if (i == cell || grid[i] != value) continue;
        if (i / ORDER == cell / ORDER) return 0;
    }
    return 1;
}

static int solve(int cell) {
    if (cell == CELLS) return 1;
    if (grid[cell]) return solve(cell + 1);
    for (int value = 1; value <= ORDER; value++) {
        if (!fits(cell, value)) continue;
        grid[cell] = value;
        if (solve(cell + 1)) return 1;
    }
    grid[cell] = 0;
    return 0;
}

static void read_grid(void) {
    for (int cell = 0; cell < CELLS; cell++) {
        if (scanf("%d", &grid[cell]) != 1) exit(1);
    }
}

static void print_grid(void) {
    for (int cell = 0; cell < CELLS; cell++) printf("%d%c", grid[cell], cell % ORDER == ORDER - 1 ? '\n' : ' ');
}

int main(void) {
    int grids;
    if (scanf("%d", &grids) != 1) return 1;
    while (grids--) {
        read_grid();
        solve(0);
        print_grid();
    }
}
