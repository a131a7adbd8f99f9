// Knows the inequalities between cells side by side, and none between rows: WA.
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 5, CELLS = ORDER * ORDER, PAIRS = 8 };

// The first cell of each pair is less than the second.
static const int PAIR[PAIRS][2] = {
    {0, 1}, {4, 3}, {10, 5}, {7, 8}, {12, 11}, {14, 19}, {15, 16}, {17, 22},
};

static int grid[CELLS];

static int fits(int cell, int value) {
    for (int i = 0; i < CELLS; i++) {
        if (i == cell || grid[i] != value) continue;
        if (i / ORDER == cell / ORDER || i % ORDER == cell % ORDER) return 0;
    }
    for (int i = 0; i < PAIRS; i++) {
        int less = PAIR[i][0], greater = PAIR[i][1];
        if (greater - less == ORDER || less - greater == ORDER) continue;
        if (less == cell && grid[greater] && value >= grid[greater]) return 0;
        if (greater == cell && grid[less] && value <= grid[less]) return 0;
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
