// Never compares the clues with each other: prints a grid with a clash where only clues clash. WA.
#include <cstdio>
#include <cstring>

int grid[81], found[81], rows[9], columns[9], boxes[9];

int box(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

int candidates(int cell) { return 511 & ~(rows[cell / 9] | columns[cell % 9] | boxes[box(cell)]); }

void toggle(int cell, int bit) {
    rows[cell / 9] ^= bit;
    columns[cell % 9] ^= bit;
    boxes[box(cell)] ^= bit;
}

int count(int most) {
    int best = -1, fewest = 10;
    for (int i = 0; i < 81; ++i) {
        if (grid[i]) continue;
        int n = __builtin_popcount(candidates(i));
        if (n < fewest) fewest = n, best = i;
    }
    if (best < 0) {
        std::memcpy(found, grid, sizeof grid);
        return 1;
    }
    int sum = 0;
    for (int left = candidates(best); left && sum < most; left &= left - 1) {
        toggle(best, left & -left);
        grid[best] = __builtin_ctz(left) + 1;
        sum += count(most - sum);
        grid[best] = 0;
        toggle(best, left & -left);
    }
    return sum;
}

int main() {
    for (int grids = 0, value; std::scanf("%d", &value) == 1; ++grids) {
        std::memset(rows, 0, sizeof rows);
        std::memset(columns, 0, sizeof columns);
        std::memset(boxes, 0, sizeof boxes);
        for (int cell = 0; cell < 81; ++cell) {
            if (cell && std::scanf("%d", &value) != 1) return 1;
            grid[cell] = value;
            int bit = value ? 1 << (value - 1) : 0;
            rows[cell / 9] |= bit, columns[cell % 9] |= bit, boxes[box(cell)] |= bit;
        }
        int solutions = count(2);
        if (grids) std::puts("");
        if (solutions == 0) std::puts("Find another job");
        if (solutions == 2) std::puts("Non-unique");
        for (int cell = 0; cell < 81 && solutions == 1; ++cell)
            std::printf("%d%c", found[cell], cell % 9 == 8 ? '\n' : ' ');
    }
}
