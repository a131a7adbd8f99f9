// Never compares the clues with each other: WA where they clash.
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 6, CELLS = ORDER * ORDER };

static int grid[CELLS];

static int fits(int cell, int value) {
    for (int i = 0; i < CELLS; i++) {
        if (i == cell || grid[i] != value) continue;
        if (i / ORDER == cell / ORDER || i % ORDER == cell % ORDER) return 0;
        if (i / ORDER / 2 == cell / ORDER / 2 && i % ORDER / 3 == cell % ORDER / 3) return 0;
    }
    return 1;
}

// Solutions from this cell on, counted up to `most`.
static int count(int cell, int most) {
    while (cell < CELLS && grid[cell]) cell++;
    if (cell == CELLS) return 1;
    int sum = 0;
    for (int value = 1; value <= ORDER && sum < most; value++) {
        if (!fits(cell, value)) continue;
        grid[cell] = value;
        sum += count(cell + 1, most - sum);
    }
    grid[cell] = 0;
    return sum;
}

static void read_grid(void) {
    char line[64];
    if (scanf("%63s", line) != 1) exit(1);
    for (int cell = 0; cell < CELLS; cell++) grid[cell] = line[cell] == '.' ? 0 : line[cell] - '0';
}

int main(void) {
    int grids;
    if (scanf("%d", &grids) != 1) return 1;
    while (grids--) {
        read_grid();
        int solutions = count(0, 1001);
        if (solutions <= 1000) printf("%d\n", solutions);
        else puts("more than 1000");
    }
}
