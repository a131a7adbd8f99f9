// Bit masks; takes the cell or the place of a digit in a unit with the fewest choices: AC.
#include <array>
#include <iostream>
#include <string>

std::array<int, 81> grid;
std::array<int, 9> rows, columns, boxes;

int box(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

int candidates(int cell) { return 511 & ~(rows[cell / 9] | columns[cell % 9] | boxes[box(cell)]); }

void toggle(int cell, int bit) {
    rows[cell / 9] ^= bit;
    columns[cell % 9] ^= bit;
    boxes[box(cell)] ^= bit;
}

int cell_of(int unit, int k) {
    if (unit < 9) return unit * 9 + k;
    if (unit < 18) return k * 9 + unit - 9;
    int b = unit - 18;
    return (b / 3 * 3 + k / 3) * 9 + b % 3 * 3 + k % 3;
}

bool solve();

bool try_digit(int cell, int bit) {
    toggle(cell, bit);
    grid[cell] = __builtin_ctz(bit) + 1;
    if (solve()) return true;
    grid[cell] = 0;
    toggle(cell, bit);
    return false;
}

bool solve() {
    int best = -1, fewest = 10;
    for (int i = 0; i < 81; ++i) {
        if (grid[i]) continue;
        int count = __builtin_popcount(candidates(i));
        if (count < fewest) fewest = count, best = i;
    }
    if (best < 0) return true;
    if (fewest == 0) return false;

    int best_unit = -1, best_bit = 0;
    for (int unit = 0; unit < 27 && fewest > 1; ++unit) {
        int once = 0, twice = 0, thrice = 0, placed = 0;
        for (int k = 0; k < 9; ++k) {
            int cell = cell_of(unit, k);
            if (grid[cell]) {
                placed |= 1 << (grid[cell] - 1);
                continue;
            }
            int mask = candidates(cell);
            thrice |= twice & mask;
            twice |= once & mask;
            once |= mask;
        }
        if ((once | placed) != 511) return false;
        if (int one = once & ~twice) {
            fewest = 1, best_unit = unit, best_bit = one & -one;
        } else if (int two = twice & ~thrice; two && fewest > 2) {
            fewest = 2, best_unit = unit, best_bit = two & -two;
        }
    }
    if (best_unit >= 0) {
        for (int k = 0; k < 9; ++k) {
            int cell = cell_of(best_unit, k);
            if (!grid[cell] && (candidates(cell) & best_bit) && try_digit(cell, best_bit)) return true;
        }
        return false;
    }
    for (int left = candidates(best); left; left &= left - 1)
        if (try_digit(best, left & -left)) return true;
    return false;
}

int main() {
    int cases;
    std::cin >> cases;
    while (cases--) {
        rows = columns = boxes = {};
        for (int row = 0; row < 9; ++row) {
            std::string line;
            std::cin >> line;
            for (int column = 0; column < 9; ++column) {
                int cell = row * 9 + column;
                grid[cell] = line[column] - '0';
                if (grid[cell]) toggle(cell, 1 << (grid[cell] - 1));
            }
        }
        solve();
        for (int cell = 0; cell < 81; ++cell) std::cout << grid[cell] << (cell % 9 == 8 ? "\n" : "");
    }
}
