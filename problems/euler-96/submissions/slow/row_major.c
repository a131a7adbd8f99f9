// Depth-first search in reading order: TLE on the grids made against it.
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 9, CELLS = ORDER * ORDER };

static int grid[CELLS];

static int fits(int cell, int value) {
    for (int i = 0; i < CELLS; i++) {
        if (i == cell || grid[i] != value) continue;
        if (i / ORDER == cell / ORDER || i % ORDER == cell % ORDER) return 0;
        if (i / ORDER / 3 == cell / ORDER / 3 && i % ORDER / 3 == cell % ORDER / 3) return 0;
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

int main(void) {
    char line[16];
    for (int n = 1; scanf(" Grid %15s", line) == 1; n++) {
        for (int row = 0; row < ORDER; row++) {
            if (scanf("%15s", line) != 1) return 1;
            for (int column = 0; column < ORDER; column++) grid[row * ORDER + column] = line[column] - '0';
        }
        solve(0);
        printf("Grid %02d\n", n);
        for (int cell = 0; cell < CELLS; cell++) {
            putchar('0' + grid[cell]);
            if (cell % ORDER == ORDER - 1) putchar('\n');
        }
    }
}
