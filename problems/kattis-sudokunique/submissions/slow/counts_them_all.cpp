// Counts all solutions where two would do: TLE on the empty grid.
#include <array>
#include <cstdio>
#include <vector>

constexpr int ORDER = 9, CELLS = ORDER * ORDER, ALL = (1 << ORDER) - 1;
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
        int top = box / 3 * 3, side = box % 3 * 3;
        for (int k = 0; k < ORDER; ++k) cells.push_back((top + k / 3) * ORDER + side + k % 3);
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

// Counts solutions up to `most`; the last one found stays in `found`.
int count(const Grid& grid, int most, Grid& found) {
    int cell = undecided(grid);
    if (cell < 0) {
        found = grid;
        return 1;
    }
    int sum = 0;
    for (int left = grid[cell]; left && sum < most; left &= left - 1) {
        Grid copy = grid;
        if (place(copy, cell, left & -left)) sum += count(copy, most - sum, found);
    }
    return sum;
}

int main() {
    make_houses();
    for (int grids = 0, value; std::scanf("%d", &value) == 1; ++grids) {
        Grid grid, found;
        grid.fill(ALL);
        bool clash = false;
        for (int cell = 0; cell < CELLS; ++cell) {
            if (cell && std::scanf("%d", &value) != 1) return 1;
            if (value && !clash) clash = !place(grid, cell, 1 << (value - 1));
        }
        int solutions = clash ? 0 : count(grid, 2000000000, found);
        if (solutions > 2) solutions = 2;
        if (grids) std::puts("");
        if (solutions == 0) std::puts("Find another job");
        if (solutions == 2) std::puts("Non-unique");
        for (int cell = 0; cell < CELLS && solutions == 1; ++cell)
            std::printf("%d%c", __builtin_ctz(found[cell]) + 1, cell % ORDER == ORDER - 1 ? '\n' : ' ');
    }
}
