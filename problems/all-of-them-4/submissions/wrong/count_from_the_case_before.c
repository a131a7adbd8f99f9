// Sets the counter to 0 only once: WA from the second grid on.
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 4, CELLS = ORDER * ORDER };

static int grid[CELLS];

static int fits(int cell, int value) {
    for (int i = 0; i < CELLS; i++) {
        if (i == cell || grid[i] != value) continue;
        if (i / ORDER == cell / ORDER || i % ORDER == cell % ORDER) return 0;
        if (i / ORDER / 2 == cell / ORDER / 2 && i % ORDER / 2 == cell % ORDER / 2) return 0;
    }
    return 1;
}

static char found[1 << 16][CELLS];
static int solutions;

static void solve(int cell) {
    while (cell < CELLS && grid[cell]) cell++;
    if (cell == CELLS) {
        for (int i = 0; i < CELLS; i++) found[solutions][i] = '0' + grid[i];
        solutions++;
        return;
    }
    for (int value = 1; value <= ORDER; value++) {
        if (!fits(cell, value)) continue;
        grid[cell] = value;
        solve(cell + 1);
    }
    grid[cell] = 0;
}

static int clues_clash(void) {
    for (int cell = 0; cell < CELLS; cell++) {
        if (grid[cell] && !fits(cell, grid[cell])) return 1;
    }
    return 0;
}

static void read_grid(void) {
    for (int cell = 0; cell < CELLS; cell++) {
        char symbol;
        if (scanf(" %c", &symbol) != 1) exit(1);
        grid[cell] = symbol == '.' ? 0 : symbol - '0';
    }
}

static void print_grid(const char *symbols) {
    for (int row = 0; row < ORDER; row++) printf("%.4s\n", symbols + ORDER * row);
}

int main(void) {
    int grids;
    if (scanf("%d", &grids) != 1) return 1;
    while (grids--) {
        read_grid();
        if (!clues_clash()) solve(0);
        printf("%d solution(s)\n", solutions);
        for (int i = 0; i < solutions; i++) {
            if (i) puts("");
            print_grid(found[i]);
        }
    }
}
