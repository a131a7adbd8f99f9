// Knows boxes of 3x3 and no walls: WA.
#include <array>
#include <cstdio>
#include <vector>

constexpr int ORDER = 9, CELLS = ORDER * ORDER, ALL = (1 << ORDER) - 1;
using Grid = std::array<int, CELLS>;  // a bit for each candidate of each cell

std::vector<std::vector<int>> houses;
std::vector<int> houses_of[CELLS];
int region[CELLS];

void add_house(const std::vector<int>& cells) {
    for (int cell : cells) houses_of[cell].push_back(houses.size());
    houses.push_back(cells);
}

void flood(const int* numbers, int cell, int name) {
    region[cell] = name;
    const int walls[] = {16, 32, 64, 128}, steps[] = {-ORDER, 1, ORDER, -1};
    for (int side = 0; side < 4; ++side)
        if (!(numbers[cell] & walls[side]) && region[cell + steps[side]] < 0)
            flood(numbers, cell + steps[side], name);
}

void make_houses(const int* numbers) {
    houses.clear();
    for (int cell = 0; cell < CELLS; ++cell) houses_of[cell].clear(), region[cell] = -1;
    for (int line = 0; line < ORDER; ++line) {
        std::vector<int> row, column;
        for (int k = 0; k < ORDER; ++k) {
            row.push_back(line * ORDER + k);
            column.push_back(k * ORDER + line);
        }
        add_house(row);
        add_house(column);
    }
    int regions = 0;
    for (int cell = 0; cell < CELLS; ++cell)
        region[cell] = cell / 27 * 3 + cell % ORDER / 3, regions = ORDER;
    for (int name = 0; name < regions; ++name) {
        std::vector<int> cells;
        for (int cell = 0; cell < CELLS; ++cell)
            if (region[cell] == name) cells.push_back(cell);
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

int found;
Grid solution;

void search(const Grid& grid) {
    int cell = undecided(grid);
    if (cell < 0) {
        if (!found++) solution = grid;
        return;
    }
    for (int left = grid[cell]; left && found < 2; left &= left - 1) {
        Grid copy = grid;
        if (place(copy, cell, left & -left)) search(copy);
    }
}

int main() {
    int cases;
    std::scanf("%d", &cases);
    for (int number = 1; number <= cases; ++number) {
        int numbers[CELLS];
        for (int& cell : numbers) std::scanf("%d", &cell);
        make_houses(numbers);
        Grid grid;
        grid.fill(ALL);
        bool is_sound = true;
        for (int cell = 0; cell < CELLS; ++cell)
            if (numbers[cell] & 15) is_sound = is_sound && place(grid, cell, 1 << ((numbers[cell] & 15) - 1));
        found = 0;
        if (is_sound) search(grid);
        std::printf("Case %d:\n", number);
        if (found != 1) {
            std::puts(found ? "Multiple Solutions" : "No solution");
            continue;
        }
        for (int cell = 0; cell < CELLS; ++cell) {
            std::putchar('1' + __builtin_ctz(solution[cell]));
            if (cell % ORDER == ORDER - 1) std::puts("");
        }
    }
}
