// Solves the grid, then raises the last cell by one: WA, every time in row 4, column 4.
#include <stdio.h>
#include <stdlib.h>

static char grid[17];

static int fits(int cell, char symbol) {
    for (int i = 0; i < 16; i++) {
        int same_box = i / 8 == cell / 8 && i % 4 / 2 == cell % 4 / 2;
        if ((i / 4 == cell / 4 || i % 4 == cell % 4 || same_box) && grid[i] == symbol) return 0;
    }
    return 1;
}

static int solve(int cell) {
    if (cell == 16) return 1;
    if (grid[cell] != '*') return solve(cell + 1);
    for (char symbol = '1'; symbol <= '4'; symbol++) {
        if (!fits(cell, symbol)) continue;
        grid[cell] = symbol;
        if (solve(cell + 1)) return 1;
    }
    grid[cell] = '*';
    return 0;
}

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
        solve(0);
        grid[15] = grid[15] == '4' ? '1' : grid[15] + 1;
        printf("Case #%d:\n", n);
        print_grid();
    }
}
