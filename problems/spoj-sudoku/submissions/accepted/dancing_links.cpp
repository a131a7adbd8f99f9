// Exact cover with dancing links, fewest choices first: AC.
#include <iostream>
#include <string>

constexpr int ORDER = 16, CELLS = 256, COLUMNS = 4 * CELLS, NODES = COLUMNS + 1 + 4 * CELLS * ORDER;
int left_[NODES], right_[NODES], up[NODES], down[NODES], column_of[NODES], choice_of[NODES], height[COLUMNS + 1];
int used;
std::string answer;

void make_columns() {
    for (int c = 0; c <= COLUMNS; ++c) {
        left_[c] = c - 1, right_[c] = c + 1, up[c] = down[c] = c, height[c] = 0;
    }
    left_[0] = COLUMNS, right_[COLUMNS] = 0;
    used = COLUMNS + 1;
}

void add_choice(int cell, int value) {
    int row = cell / ORDER, column = cell % ORDER, box = row / 4 * 4 + column / 4, first = used;
    int covers[4] = {cell, CELLS + row * ORDER + value, 2 * CELLS + column * ORDER + value, 3 * CELLS + box * ORDER + value};
    for (int k = 0; k < 4; ++k, ++used) {
        int c = covers[k] + 1;
        column_of[used] = c, choice_of[used] = cell * ORDER + value, ++height[c];
        up[used] = up[c], down[used] = c, down[up[c]] = used, up[c] = used;
        left_[used] = k ? used - 1 : first + 3, right_[used] = k < 3 ? used + 1 : first;
    }
}

void cover(int c) {
    right_[left_[c]] = right_[c], left_[right_[c]] = left_[c];
    for (int i = down[c]; i != c; i = down[i])
        for (int j = right_[i]; j != i; j = right_[j]) up[down[j]] = up[j], down[up[j]] = down[j], --height[column_of[j]];
}

void uncover(int c) {
    for (int i = up[c]; i != c; i = up[i])
        for (int j = left_[i]; j != i; j = left_[j]) ++height[column_of[j]], up[down[j]] = down[up[j]] = j;
    right_[left_[c]] = left_[right_[c]] = c;
}

bool search() {
    if (!right_[0]) return true;
    int best = right_[0];
    for (int c = right_[0]; c; c = right_[c])
        if (height[c] < height[best]) best = c;
    cover(best);
    for (int i = down[best]; i != best; i = down[i]) {
        for (int j = right_[i]; j != i; j = right_[j]) cover(column_of[j]);
        answer[choice_of[i] / ORDER] = 'A' + choice_of[i] % ORDER;
        if (search()) return true;
        for (int j = left_[i]; j != i; j = left_[j]) uncover(column_of[j]);
    }
    uncover(best);
    return false;
}

int main() {
    int grids;
    std::cin >> grids;
    for (int n = 0; n < grids; ++n) {
        make_columns();
        for (int row = 0; row < ORDER; ++row) {
            std::string line;
            std::cin >> line;
            for (int column = 0; column < ORDER; ++column)
                for (int value = 0; value < ORDER; ++value)
                    if (line[column] == '-' || line[column] == 'A' + value) add_choice(row * ORDER + column, value);
        }
        answer.assign(CELLS, '?');
        search();
        if (n) std::cout << '\n';
        for (int row = 0; row < ORDER; ++row) std::cout << answer.substr(row * ORDER, ORDER) << '\n';
    }
}
