// Prints dashes before every grid, the first one as well: WA.
#include <bitset>
#include <iostream>
#include <string>

using namespace std;

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
        if (grid[cell]) continue;
        int open = 9 - bitset<9>(taken(cell)).count();
        if (open < fewest) fewest = open, best = cell;
    }
    if (best < 0) return true;
    for (int digit = 0; digit < 9; ++digit) {
        int bit = 1 << digit;
        if (taken(best) & bit) continue;
        grid[best] = digit + 1;
        toggle(best, bit);
        if (solve()) return true;
        toggle(best, bit);
        grid[best] = 0;
    }
    return false;
}

bool read() {
    bool fits = true;
    for (int line = 0; line < 9; ++line) rows[line] = columns[line] = boxes[line] = 0;
    for (int row = 0; row < 9; ++row) {
        string line;
        cin >> line;
        for (int column = 0; column < 9; ++column) {
            int cell = 9 * row + column;
            grid[cell] = line[column] == '.' ? 0 : line[column] - '0';
            if (!grid[cell]) continue;
            int bit = 1 << (grid[cell] - 1);
            if (taken(cell) & bit) fits = false;
            else toggle(cell, bit);
        }
    }
    return fits;
}

int main() {
    int grids;
    cin >> grids;
    for (int number = 1; number <= grids; ++number) {
        bool fits = read();
        cout << "---------\n";
        if (fits && solve()) {
            for (int cell = 0; cell < 81; ++cell) cout << grid[cell] << (cell % 9 == 8 ? "\n" : "");
        } else {
            cout << "Grid " << number << " has no solution.\n";
        }
    }
}
