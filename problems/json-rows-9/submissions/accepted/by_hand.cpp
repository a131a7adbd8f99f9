// Takes the digits out of the text and writes the brackets itself, a row on a line: AC.
#include <cctype>
#include <cstdio>

int grid[81], rows[9], columns[9], boxes[9];

int box_of(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

int taken(int cell) { return rows[cell / 9] | columns[cell % 9] | boxes[box_of(cell)]; }

void toggle(int cell, int bit) {
    rows[cell / 9] ^= bit;
    columns[cell % 9] ^= bit;
    boxes[box_of(cell)] ^= bit;
}

bool solve() {
    int best = -1, fewest = 10;
    for (int cell = 0; cell < 81; ++cell) {
        int open = 9 - __builtin_popcount(taken(cell));
        if (!grid[cell] && open < fewest) fewest = open, best = cell;
    }
    if (best < 0) return true;
    for (int digit = 1; digit <= 9; ++digit) {
        int bit = 1 << digit;
        if (taken(best) & bit) continue;
        grid[best] = digit;
        toggle(best, bit);
        if (solve()) return true;
        toggle(best, bit);
    }
    grid[best] = 0;
    return false;
}

int main() {
    int cell = 0;
    for (int letter; cell < 81 && (letter = std::getchar()) != EOF;) {
        if (!std::isdigit(letter)) continue;
        grid[cell] = letter - '0';
        if (grid[cell]) toggle(cell, 1 << grid[cell]);
        ++cell;
    }
    solve();
    for (cell = 0; cell < 81; ++cell) {
        if (cell % 9 == 0) std::printf("%s", cell ? "],\n [" : "[[");
        std::printf(cell % 9 ? ", %d" : "%d", grid[cell]);
    }
    std::puts("]]");
}
