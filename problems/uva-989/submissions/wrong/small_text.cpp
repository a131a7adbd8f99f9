// Writes `No solution`: WA, the case of letters matters.
#include <cstdio>
#include <vector>

using Grid = std::vector<int>;  // a bit for each candidate of each cell

int side, order, cells;
std::vector<std::vector<int>> peers;

bool are_peers(int a, int b) {
    int row = a / order, column = a % order, other_row = b / order, other_column = b % order;
    bool same_box = row / side == other_row / side && column / side == other_column / side;
    return a != b && (row == other_row || column == other_column || same_box);
}

void make_peers() {
    peers.assign(cells, {});
    for (int a = 0; a < cells; ++a)
        for (int b = 0; b < cells; ++b)
            if (are_peers(a, b)) peers[a].push_back(b);
}

// Puts a value and strikes it from the peers, and so on where that leaves one candidate.
bool place(Grid& grid, int cell, int bit) {
    if (!(grid[cell] & bit)) return false;
    grid[cell] = bit;
    for (int peer : peers[cell]) {
        if (!(grid[peer] & bit)) continue;
        int left = grid[peer] &= ~bit;
        if (!left || (!(left & (left - 1)) && !place(grid, peer, left))) return false;
    }
    return true;
}

int fewest(const Grid& grid) {
    int best = -1;
    for (int cell = 0; cell < cells; ++cell) {
        int count = __builtin_popcount(grid[cell]);
        if (count > 1 && (best < 0 || count < __builtin_popcount(grid[best]))) best = cell;
    }
    return best;
}

bool has_solution(Grid& grid) {
    int cell = fewest(grid);
    if (cell < 0) return true;
    for (int left = grid[cell]; left; left &= left - 1) {
        Grid copy = grid;
        if (place(copy, cell, left & -left) && has_solution(copy)) {
            grid = copy;
            return true;
        }
    }
    return false;
}

// Settles cell by cell: the smallest digit that leaves a solution.
void settle(Grid& grid) {
    for (int cell = 0; cell < cells; ++cell) {
        for (int left = grid[cell]; left & (left - 1); left &= left - 1) {
            Grid copy = grid, kept;
            if (!place(copy, cell, left & -left)) continue;
            kept = copy;
            if (!has_solution(copy)) continue;
            grid = kept;
            break;
        }
        int last = 31 - __builtin_clz(grid[cell]);
        if (grid[cell] & (grid[cell] - 1)) place(grid, cell, 1 << last);
    }
}

int main() {
    for (int grids = 0; std::scanf("%d", &side) == 1; ++grids) {
        order = side * side, cells = order * order;
        make_peers();
        Grid grid(cells, (1 << order) - 1);
        bool right = true;
        for (int cell = 0, value; cell < cells; ++cell) {
            if (std::scanf("%d", &value) != 1) return 1;
            if (value && right) right = place(grid, cell, 1 << (value - 1));
        }
        if (grids) std::puts("");
        Grid copy = grid;
        if (!right || !has_solution(copy)) {
            std::puts("No solution");
            continue;
        }
        settle(grid);
        for (int cell = 0; cell < cells; ++cell)
            std::printf("%d%c", __builtin_ctz(grid[cell]) + 1, cell % order == order - 1 ? '\n' : ' ');
    }
}
