// Looks at rows only: WA.
#include <stdio.h>
#include <stdlib.h>

static int grid[81];

static int cell_of(int house, int k) {
    if (house < 9) return house * 9 + k;
    if (house < 18) return k * 9 + house - 9;
    int box = house - 18;
    return (box / 3 * 3 + k / 3) * 9 + box % 3 * 3 + k % 3;
}

static int fill(int house) {
    int sum = 0, blanks = 0, last = 0;
    for (int k = 0; k < 9; k++) {
        int cell = cell_of(house, k);
        sum += grid[cell];
        if (!grid[cell]) blanks++, last = cell;
    }
    if (blanks == 1) grid[last] = 45 - sum;
    return blanks == 1;
}

static int pass(void) {
    int filled = 0;
    for (int house = 0; house < 9; house++) filled += fill(house);
    return filled;
}

static void solve(void) {
    while (pass()) {}
}

int main(void) {
    int scenarios;
    if (scanf("%d", &scenarios) != 1) return 1;
    for (int n = 1; n <= scenarios; n++) {
        for (int i = 0; i < 81; i++) {
            if (scanf("%1d", &grid[i]) != 1) return 1;
        }
        solve();
        printf("Scenario #%d:\n", n);
        for (int i = 0; i < 81; i++) printf("%d%s", grid[i], i % 9 == 8 ? "\n" : "");
        puts("");
    }
}
