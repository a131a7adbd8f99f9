// Ignores boxes when it looks for clashes: WA.
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

int count(int most) {
    int best = -1, fewest = 10;
    for (int cell = 0; cell < 81; ++cell) {
        if (grid[cell]) continue;
        int open = 9 - bitset<9>(taken(cell)).count();
        if (open < fewest) fewest = open, best = cell;
    }
    if (best < 0) return 1;
    int found = 0;
    for (int digit = 0; digit < 9 && found < most; ++digit) {
        int bit = 1 << digit;
        if (taken(best) & bit) continue;
        grid[best] = digit + 1;
        toggle(best, bit);
        found += count(most - found);
        toggle(best, bit);
        grid[best] = 0;
    }
    return found;
}

string word(const string& text) {
    bool clash = false, blank = false;
    for (int line = 0; line < 9; ++line) rows[line] = columns[line] = boxes[line] = 0;
    for (int cell = 0; cell < 81; ++cell) {
        grid[cell] = text[cell] == '.' ? 0 : text[cell] - '0';
        if (!grid[cell]) { blank = true; continue; }
        int bit = 1 << (grid[cell] - 1);
        if ((rows[cell / 9] | columns[cell % 9]) & bit) clash = true;
        else if (boxes[box_of(cell)] & bit) return "IMPOSSIBLE";
        else toggle(cell, bit);
    }
    if (clash) return "INVALID";
    if (!blank) return "SOLVED";
    int solutions = count(2);
    return solutions == 0 ? "IMPOSSIBLE" : solutions == 1 ? "UNIQUE" : "AMBIGUOUS";
}

int main() {
    int grids;
    cin >> grids;
    for (int number = 1; number <= grids; ++number) {
        string text, line;
        for (int row = 0; row < 9; ++row) cin >> line, text += line;
        cout << "Grid " << number << ": " << word(text) << '\n';
    }
}
