// Whole rows, of which each must fit the rows above it: AC.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

constexpr int ORDER = 6, CELLS = ORDER * ORDER;

struct Cage {
    char operation;
    int target;
    std::vector<int> cells;
};

static const std::string MAP =
    "aabb.."
    "c.d.ee"
    "c.dd.e"
    "..f.gg"
    "hhf.g."
    ".h.ii.";

static std::vector<Cage> cages = {
    {'/', 2, {}}, {'-', 3, {}}, {'-', 1, {}},  {'x', 20, {}}, {'+', 9, {}},
    {'/', 3, {}}, {'x', 30, {}}, {'+', 10, {}}, {'-', 4, {}},
};
static std::vector<std::vector<int>> permutations;
static int clues[CELLS], grid[CELLS];

static bool is_right(const Cage& cage) {
    int sum = 0, product = 1, least = ORDER, most = 1;
    for (int cell : cage.cells) {
        sum += grid[cell];
        product *= grid[cell];
        least = std::min(least, grid[cell]);
        most = std::max(most, grid[cell]);
    }
    switch (cage.operation) {
        case '+': return sum == cage.target;
        case 'x': return product == cage.target;
        case '-': return most - least == cage.target;
        default: return most == cage.target * least;
    }
}

static bool fits(int row) {
    for (int cell = row * ORDER; cell < (row + 1) * ORDER; ++cell) {
        if (clues[cell] && clues[cell] != grid[cell]) return false;
        for (int above = cell - ORDER; above >= 0; above -= ORDER)
            if (grid[above] == grid[cell]) return false;
    }
    // The cages that are complete with this row.
    return std::all_of(cages.begin(), cages.end(),
                       [row](const Cage& cage) { return cage.cells.back() / ORDER != row || is_right(cage); });
}

static bool solve(int row) {
    if (row == ORDER) return true;
    for (const auto& values : permutations) {
        std::copy(values.begin(), values.end(), grid + row * ORDER);
        if (fits(row) && solve(row + 1)) return true;
    }
    return false;
}

int main() {
    for (int cell = 0; cell < CELLS; ++cell)
        if (MAP[cell] != '.') cages[MAP[cell] - 'a'].cells.push_back(cell);
    std::vector<int> values = {1, 2, 3, 4, 5, 6};
    do permutations.push_back(values);
    while (std::next_permutation(values.begin(), values.end()));
    int grids;
    if (std::scanf("%d", &grids) != 1) return 1;
    while (grids--) {
        for (int& clue : clues)
            if (std::scanf("%d", &clue) != 1) return 1;
        solve(0);
        for (int cell = 0; cell < CELLS; ++cell) std::printf("%d%c", grid[cell], cell % ORDER == ORDER - 1 ? '\n' : ' ');
    }
}
