// Treats the greatest number of solutions that must be printed as too many: WA.
#include <iostream>

using namespace std;

int grid[36], first_found[36], found, bound;

bool fits(int cell, int symbol) {
    for (int other = 0; other < 36; ++other) {
        if (other == cell || grid[other] != symbol) continue;
        if (other / 6 == cell / 6 || other % 6 == cell % 6) return false;
        if (other / 12 == cell / 12 && other % 6 / 3 == cell % 6 / 3) return false;
    }
    return true;
}

void search(int cell) {
    if (found > bound) return;
    while (cell < 36 && grid[cell]) ++cell;
    if (cell == 36) {
        if (found++) return;
        for (int at = 0; at < 36; ++at) first_found[at] = grid[at];
        return;
    }
    for (int symbol = 1; symbol <= 6; ++symbol) {
        if (!fits(cell, symbol)) continue;
        grid[cell] = symbol;
        search(cell + 1);
        grid[cell] = 0;
    }
}

int main() {
    int grids;
    cin >> grids;
    for (int number = 1; number <= grids; ++number) {
        for (int& cell : grid) {
            char symbol;
            cin >> symbol;
            cell = symbol == '*' ? 0 : symbol - '0';
        }
        found = 0, bound = 576;
        bool clash = false;
        for (int cell = 0; cell < 36; ++cell) clash |= grid[cell] && !fits(cell, grid[cell]);
        if (!clash) search(0);
        if (found == 0) {
            cout << "Case " << number << ": no solution\n";
        } else if (found > 575) {
            cout << "Case " << number << ": too many to tell\n";
        } else {
            cout << "There are " << found << " solutions, first:\n";
            for (int cell = 0; cell < 36; ++cell) cout << first_found[cell] << (cell % 6 == 5 ? '\n' : ' ');
        }
    }
}
