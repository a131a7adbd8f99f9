// Depth-first search from the bottom row up: TLE on the mirrored grids made against it.
#include <stdio.h>
#include <stdlib.h>

static int grid[81], rows[9], columns[9], boxes[9];

static int box(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

static int candidates(int cell) {
    return 511 & ~(rows[cell / 9] | columns[cell % 9] | boxes[box(cell)]);
}

static void toggle(int cell, int bit) {
    rows[cell / 9] ^= bit;
    columns[cell % 9] ^= bit;
    boxes[box(cell)] ^= bit;
}

static int solve(int k) {
    if (k == 81) return 1;
    int cell = (8 - k / 9) * 9 + k % 9;
    if (grid[cell]) return solve(k + 1);
    for (int left = candidates(cell); left; left &= left - 1) {
        toggle(cell, left & -left);
        grid[cell] = __builtin_ctz(left) + 1;
        if (solve(k + 1)) return 1;
        toggle(cell, left & -left);
    }
    grid[cell] = 0;
    return 0;
}

static void read_grid(void) {
    for (int i = 0; i < 81; i++) {
        char symbol;
        if (scanf(" %c", &symbol) != 1) exit(1);
        grid[i] = symbol == '.' ? 0 : symbol - '0';
        if (grid[i]) toggle(i, 1 << (grid[i] - 1));
    }
}

static void print_grid(void) {
    for (int i = 0; i < 81; i++) printf("%d%s", grid[i], i % 9 == 8 ? "\n" : "");
}

int main(void) {
    read_grid();
    solve(0);
    print_grid();
}
