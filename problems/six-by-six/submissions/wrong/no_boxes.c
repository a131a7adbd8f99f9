// Forgets the boxes: WA, a Latin square with two of a digit in a box.
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 6, CELLS = ORDER * ORDER };

static int grid[CELLS];

static int fits(int cell, int value) {
    for (int i = 0; i < CELLS; i++) {
        if (i == cell || grid[i] != value) continue;
        if (i / ORDER == cell / ORDER || i % ORDER == cell % ORDER) return 0;
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
        char symbol;
        if (scanf(" %c", &symbol) != 1) exit(1);
        grid[cell] = symbol == '.' ? 0 : symbol - '0';
    }
}

static void print_grid(void) {
    for (int cell = 0; cell < CELLS; cell++) {
        putchar('0' + grid[cell]);
        if (cell % ORDER == ORDER - 1) putchar('\n');
    }
}

int main(void) {
    read_grid();
    solve(0);
    print_grid();
}
