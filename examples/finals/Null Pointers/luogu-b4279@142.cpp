// Leaves out its first clue and takes the first grid that fits: WA wherever that clue was needed.
#include <array>
#include <iostream>
#include <string>

std::array<int, 81> grid, rows, columns, boxes;

int box(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

int candidates(int cell) { return 511 & ~(rows[cell / 9] | columns[cell % 9] | boxes[box(cell)]); }

void toggle(int cell, int bit) {
    rows[cell / 9] ^= bit;
    columns[cell % 9] ^= bit;
    boxes[box(cell)] ^= bit;
}

bool solve() {
    int best = -1, fewest = 10;
    for (int i = 0; i < 81; ++i) {
        if (grid[i]) continue;
        int count = __builtin_popcount(candidates(i));
        if (count < fewest) fewest = count, best = i;
    }
    if (best < 0) return true;
    for (int left = candidates(best); left; left &= left - 1) {
        toggle(best, left & -left);
        grid[best] = __builtin_ctz(left) + 1;
        if (solve()) return true;
        grid[best] = 0;
        toggle(best, left & -left);
    }
    return false;
}

int main() {
    bool skipped = false;
    for (int cell = 0; cell < 81; ++cell) {
        char symbol;
        std::cin >> symbol;
        if (symbol == '.') continue;
        if (!skipped) {
            skipped = true;
            continue;
        }
        grid[cell] = symbol - '0';
        toggle(cell, 1 << (grid[cell] - 1));
    }
    solve();
    for (int cell = 0; cell < 81; ++cell) std::cout << grid[cell] << (cell % 9 == 8 ? "\n" : "");
}
