// Depth-first search column by column: TLE on the transposed grids made against it.
#include <stdio.h>
#include <stdlib.h>

static int grid[81];

static int fits(int cell, int digit) {
    int row = cell / 9, column = cell % 9, corner = row / 3 * 27 + column / 3 * 3;
    for (int i = 0; i < 9; i++) {
        if (grid[row * 9 + i] == digit || grid[i * 9 + column] == digit) return 0;
        if (grid[corner + i / 3 * 9 + i % 3] == digit) return 0;
    }
    return 1;
}

static int solve(int k) {
    if (k == 81) return 1;
    int cell = k % 9 * 9 + k / 9;
    if (grid[cell]) return solve(k + 1);
    for (int digit = 1; digit <= 9; digit++) {
        if (!fits(cell, digit)) continue;
        grid[cell] = digit;
        if (solve(k + 1)) return 1;
        grid[cell] = 0;
    }
    return 0;
}

static void read_grid(void) {
    for (int i = 0; i < 81; i++) {
        if (scanf("%d", &grid[i]) != 1) exit(1);
    }
}

static void print_grid(void) {
    for (int i = 0; i < 81; i++) printf("%d%c", grid[i], i % 9 == 8 ? '\n' : ' ');
}

int main(void) {
    read_grid();
    solve(0);
    print_grid();
}
