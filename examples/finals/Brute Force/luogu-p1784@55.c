// Depth-first search in the cell with the fewest candidates, kept as bit masks: AC.
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

static int solve(void) {
    int cell = -1, fewest = 10;
    for (int i = 0; i < 81; i++) {
        if (grid[i]) continue;
        int count = __builtin_popcount(candidates(i));
        if (count < fewest) fewest = count, cell = i;
        if (fewest < 2) break;
    }
    if (cell < 0) return 1;
    for (int left = candidates(cell); left; left &= left - 1) {
        toggle(cell, left & -left);
        grid[cell] = __builtin_ctz(left) + 1;
        if (solve()) return 1;
        grid[cell] = 0;
        toggle(cell, left & -left);
    }
    return 0;
}

static void read_grid(void) {
    for (int i = 0; i < 81; i++) {
        if (scanf("%d", &grid[i]) != 1) exit(1);
        if (grid[i]) toggle(i, 1 << (grid[i] - 1));
    }
}

static void print_grid(void) {
    for (int i = 0; i < 81; i++) printf("%d%c", grid[i], i % 9 == 8 ? '\n' : ' ');
}

int main(void) {
    read_grid();
    solve();
    print_grid();
}
