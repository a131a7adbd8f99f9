// Tries every filling of the blanks, 4 to the power of their number, and looks at complete grids only:
// TLE on files of many grids with few clues.
#include <stdio.h>
#include <stdlib.h>

static char grid[17];

static int valid(void) {
    int rows[4] = {0}, columns[4] = {0}, boxes[4] = {0};
    for (int cell = 0; cell < 16; cell++) {
        int bit = 1 << (grid[cell] - '1');
        rows[cell / 4] |= bit;
        columns[cell % 4] |= bit;
        boxes[cell / 8 * 2 + cell % 4 / 2] |= bit;
    }
    for (int i = 0; i < 4; i++) {
        if (rows[i] != 15 || columns[i] != 15 || boxes[i] != 15) return 0;
    }
    return 1;
}

static int solve(int cell) {
    if (cell == 16) return valid();
    if (grid[cell] != '*') return solve(cell + 1);
    for (char symbol = '1'; symbol <= '4'; symbol++) {
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
        printf("Case #%d:\n", n);
        print_grid();
    }
}
