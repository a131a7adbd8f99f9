// Never empties its list of blank cells: WA once a grid with blanks was followed by another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows[4], columns[4], boxes[4];
static char grid[17];
static int blanks[100 * 16], blank_count;

static int box(int cell) { return cell / 8 * 2 + cell % 4 / 2; }

static void mark(int cell, int symbol, int used) {
    int bit = 1 << (symbol - '0');
    rows[cell / 4] = used ? rows[cell / 4] | bit : rows[cell / 4] & ~bit;
    columns[cell % 4] = used ? columns[cell % 4] | bit : columns[cell % 4] & ~bit;
    boxes[box(cell)] = used ? boxes[box(cell)] | bit : boxes[box(cell)] & ~bit;
}

static int solve(int k) {
    if (k == blank_count) return 1;
    int cell = blanks[k];
    for (char symbol = '1'; symbol <= '4'; symbol++) {
        if ((rows[cell / 4] | columns[cell % 4] | boxes[box(cell)]) >> (symbol - '0') & 1) continue;
        mark(cell, symbol, 1);
        grid[cell] = symbol;
        if (solve(k + 1)) return 1;
        mark(cell, symbol, 0);
    }
    grid[cell] = '*';
    return 0;
}

static void read_grid(void) {
    memset(rows, 0, sizeof rows);
    memset(columns, 0, sizeof columns);
    memset(boxes, 0, sizeof boxes);
    for (int row = 0; row < 4; row++) {
        if (scanf("%4s", grid + 4 * row) != 1) exit(1);
    }
    for (int cell = 0; cell < 16; cell++) {
        if (grid[cell] == '*') {
            blanks[blank_count++] = cell;
        } else {
            mark(cell, grid[cell], 1);
        }
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
