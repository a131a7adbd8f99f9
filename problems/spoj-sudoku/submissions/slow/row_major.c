// Depth-first search in reading order: TLE, far too many fillings at this order.
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 16, CELLS = ORDER * ORDER };

static int grid[CELLS];

static int fits(int cell, int value) {
    for (int i = 0; i < CELLS; i++) {
        if (i == cell || grid[i] != value) continue;
        if (i / ORDER == cell / ORDER || i % ORDER == cell % ORDER) return 0;
        if (i / ORDER / 4 == cell / ORDER / 4 && i % ORDER / 4 == cell % ORDER / 4) return 0;
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
    int grids;
    if (scanf("%d", &grids) != 1) return 1;
    for (int n = 0; n < grids; n++) {
        for (int cell = 0; cell < CELLS; cell++) {
            char symbol;
            if (scanf(" %c", &symbol) != 1) return 1;
            grid[cell] = symbol == '-' ? 0 : symbol - 'A' + 1;
        }
        solve(0);
        if (n) puts("");
        for (int cell = 0; cell < CELLS; cell++) {
            putchar('A' + grid[cell] - 1);
            if (cell % ORDER == ORDER - 1) puts("");
        }
    }
}
