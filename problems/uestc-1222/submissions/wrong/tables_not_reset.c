// Never clears its row, column and box tables: WA from the second grid of a file on.
#include <stdio.h>
#include <stdlib.h>

static int rows[4], columns[4], boxes[4];
static char grid[17];

static int box(int cell) { return cell / 8 * 2 + cell % 4 / 2; }

static void mark(int cell, int symbol, int used) {
    int bit = 1 << (symbol - '0');
    rows[cell / 4] = used ? rows[cell / 4] | bit : rows[cell / 4] & ~bit;
    columns[cell % 4] = used ? columns[cell % 4] | bit : columns[cell % 4] & ~bit;
    boxes[box(cell)] = used ? boxes[box(cell)] | bit : boxes[box(cell)] & ~bit;
}

static int solve(int cell) {
    if (cell == 16) return 1;
    if (grid[cell] != '*') return solve(cell + 1);
    for (char symbol = '1'; symbol <= '4'; symbol++) {
        if ((rows[cell / 4] | columns[cell % 4] | boxes[box(cell)]) >> (symbol - '0') & 1) continue;
        mark(cell, symbol, 1);
        grid[cell] = symbol;
        if (solve(cell + 1)) return 1;
        mark(cell, symbol, 0);
    }
    grid[cell] = '*';
    return 0;
}

static void read_grid(void) {
    for (int row = 0; row < 4; row++) {
        if (scanf("%4s", grid + 4 * row) != 1) exit(1);
    }
    for (int cell = 0; cell < 16; cell++) {
        if (grid[cell] != '*') mark(cell, grid[cell], 1);
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
