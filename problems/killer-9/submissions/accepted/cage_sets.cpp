// The sets of digits that each cage can hold, in addition to singles and hidden singles: AC.
#include <array>
#include <cstdio>
#include <vector>

constexpr int ORDER = 9, CELLS = ORDER * ORDER, ALL = (1 << ORDER) - 1;
using Grid = std::array<int, CELLS>;  // a bit for each candidate of each cell

const char MAP[] =
    "........."
    "...aabbc."
    "..d..bbcc"
    ".dd....c."
    "..dee...."
    "f.ggehhii"
    "ffg..h.i."
    "j.k...ll."
    "jjk...l..";
// The sums of the cages `a`, `b`, and so on.
const std::vector<int> SUMS = {12, 18, 15, 17, 9, 13, 18, 14, 21, 9, 11, 11};

std::vector<std::vector<int>> houses, cages(SUMS.size()), peers(CELLS);
std::vector<std::vector<int>> sets(SUMS.size());  // for each cage, the sets of different digits of its sum

void make_houses() {
    for (int k = 0; k < ORDER; ++k) {
        std::vector<int> row, column, box;
        for (int i = 0; i < ORDER; ++i) {
            row.push_back(k * ORDER + i);
            column.push_back(i * ORDER + k);
            box.push_back((k / 3 * 3 + i / 3) * ORDER + k % 3 * 3 + i % 3);
        }
        for (auto& house : {row, column, box}) houses.push_back(house);
    }
    for (int cell = 0; cell < CELLS; ++cell)
        if (MAP[cell] != '.') cages[MAP[cell] - 'a'].push_back(cell);
}

void make_peers(const std::vector<std::vector<int>>& groups) {
    for (auto& group : groups)
        for (int cell : group)
            for (int other : group)
                if (other != cell) peers[cell].push_back(other);
}

void make_sets() {
    for (size_t cage = 0; cage < cages.size(); ++cage)
        for (int digits = 0; digits <= ALL; ++digits) {
            int sum = 0;
            for (int digit = 1; digit <= ORDER; ++digit) sum += digits >> (digit - 1) & 1 ? digit : 0;
            if (sum == SUMS[cage] && __builtin_popcount(digits) == int(cages[cage].size())) sets[cage].push_back(digits);
        }
}

// Leaves the digits of the sets of which every cell of the cage can take one.
bool narrow(Grid& grid, int cage) {
    int allowed = 0;
    for (int digits : sets[cage]) {
        bool fits = true;
        for (int cell : cages[cage]) fits = fits && (grid[cell] & digits);
        if (fits) allowed |= digits;
    }
    for (int cell : cages[cage])
        if (!(grid[cell] &= allowed)) return false;
    return true;
}

// Follows singles, the only places of digits, and the cages until nothing moves. False at a contradiction.
bool settle(Grid& grid) {
    for (Grid before{}; before != grid;) {
        before = grid;
        for (int cell = 0; cell < CELLS; ++cell)
            if (!(grid[cell] & (grid[cell] - 1)))
                for (int other : peers[cell])
                    if (!(grid[other] &= ~grid[cell])) return false;
        for (auto& house : houses) {
            int once = 0, twice = 0;
            for (int cell : house) twice |= once & grid[cell], once |= grid[cell];
            if (once != ALL) return false;
            for (int cell : house)
                if (grid[cell] & ~twice) grid[cell] &= ~twice;
        }
        for (size_t cage = 0; cage < cages.size(); ++cage)
            if (!narrow(grid, cage)) return false;
    }
    return true;
}

bool search(Grid& grid) {
    if (!settle(grid)) return false;
    int best = -1, fewest = ORDER + 1;
    for (int cell = 0; cell < CELLS; ++cell) {
        int count = __builtin_popcount(grid[cell]);
        if (count > 1 && count < fewest) fewest = count, best = cell;
    }
    if (best < 0) return true;
    for (int left = grid[best]; left; left &= left - 1) {
        Grid copy = grid;
        copy[best] = left & -left;
        if (search(copy)) return grid = copy, true;
    }
    return false;
}

int main() {
    make_houses();
    make_peers(houses);
    make_peers(cages);
    make_sets();
    int grids;
    if (std::scanf("%d", &grids) != 1) return 1;
    while (grids--) {
        Grid grid;
        for (int& cell : grid) {
            char letter;
            if (std::scanf(" %c", &letter) != 1) return 1;
            cell = letter == '.' ? ALL : 1 << (letter - '1');
        }
        search(grid);
        for (int cell = 0; cell < CELLS; ++cell) {
            std::putchar('1' + __builtin_ctz(grid[cell] ? grid[cell] : 1));
            if (cell % ORDER == ORDER - 1) std::puts("");
        }
    }
}
