// Exact cover by dancing links, always in the column with the fewest rows left: AC.
#include <array>
#include <iostream>
#include <vector>

constexpr int kColumns = 4 * 81;

struct Node {
    int left, right, up, down, column, choice;
};

std::vector<Node> nodes;
std::array<int, kColumns + 1> size{};
std::array<int, 81> grid;

void cover(int c) {
    nodes[nodes[c].left].right = nodes[c].right;
    nodes[nodes[c].right].left = nodes[c].left;
    for (int i = nodes[c].down; i != c; i = nodes[i].down)
        for (int j = nodes[i].right; j != i; j = nodes[j].right) {
            nodes[nodes[j].up].down = nodes[j].down;
            nodes[nodes[j].down].up = nodes[j].up;
            --size[nodes[j].column];
        }
}

void uncover(int c) {
    for (int i = nodes[c].up; i != c; i = nodes[i].up)
        for (int j = nodes[i].left; j != i; j = nodes[j].left) {
            nodes[nodes[j].up].down = nodes[nodes[j].down].up = j;
            ++size[nodes[j].column];
        }
    nodes[nodes[c].left].right = nodes[nodes[c].right].left = c;
}

void add_choice(int cell, int digit) {
    int row = cell / 9, column = cell % 9, box = row / 3 * 3 + column / 3;
    int first = static_cast<int>(nodes.size());
    int columns[] = {1 + cell, 82 + row * 9 + digit, 163 + column * 9 + digit, 244 + box * 9 + digit};
    for (int k = 0; k < 4; ++k) {
        int c = columns[k], me = first + k;
        nodes.push_back({first + (k + 3) % 4, first + (k + 1) % 4, nodes[c].up, c, c, cell * 9 + digit});
        nodes[nodes[c].up].down = me;
        nodes[c].up = me;
        ++size[c];
    }
}

bool search() {
    if (nodes[0].right == 0) return true;
    int best = nodes[0].right;
    for (int c = best; c != 0; c = nodes[c].right)
        if (size[c] < size[best]) best = c;
    cover(best);
    for (int i = nodes[best].down; i != best; i = nodes[i].down) {
        for (int j = nodes[i].right; j != i; j = nodes[j].right) cover(nodes[j].column);
        grid[nodes[i].choice / 9] = nodes[i].choice % 9 + 1;
        if (search()) return true;
        for (int j = nodes[i].left; j != i; j = nodes[j].left) uncover(nodes[j].column);
    }
    uncover(best);
    return false;
}

int main() {
    for (int c = 0; c <= kColumns; ++c)
        nodes.push_back({c ? c - 1 : kColumns, c < kColumns ? c + 1 : 0, c, c, c, 0});
    for (int cell = 0; cell < 81; ++cell) {
        int given;
        std::cin >> given;
        for (int digit = 0; digit < 9; ++digit)
            if (given == 0 || given == digit + 1) add_choice(cell, digit);
    }
    search();
    for (int cell = 0; cell < 81; ++cell) std::cout << grid[cell] << (cell % 9 == 8 ? '\n' : ' ');
}
