// Tries every symbol in every blank and looks at the whole grid only when it is full: TLE.
#include <iostream>
#include <string>

using namespace std;

string grid;
bool is_blank[81];

bool is_right() {
    for (int cell = 0; cell < 81; ++cell)
        for (int other = 0; other < cell; ++other) {
            bool peers = cell / 9 == other / 9 || cell % 9 == other % 9 ||
                         (cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3);
            if (peers && grid[cell] == grid[other]) return false;
        }
    return true;
}

bool solve(int cell) {
    if (cell == 81) return is_right();
    if (!is_blank[cell]) return solve(cell + 1);
    for (grid[cell] = '1'; grid[cell] <= '9'; ++grid[cell])
        if (solve(cell + 1)) return true;
    return false;
}

int main() {
    int grids;
    cin >> grids;
    for (int number = 1; number <= grids; ++number) {
        grid.clear();
        for (int row = 0; row < 9; ++row) {
            string line;
            cin >> line;
            grid += line;
        }
        for (int cell = 0; cell < 81; ++cell) is_blank[cell] = grid[cell] == '.';
        if (number > 1) cout << "---------\n";
        if (!solve(0)) {
            cout << "Grid " << number << " has no solution.\n";
            continue;
        }
        for (int row = 0; row < 9; ++row) cout << grid.substr(9 * row, 9) << '\n';
    }
}
