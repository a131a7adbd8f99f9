// Fills the blank cells one after the other, and goes back where nothing fits.
#include <array>
#include <iostream>
#include <string>

using Grid = std::array<std::string, 4>;

static bool fits(const Grid &grid, int row, int column, char symbol)
{
    int top = row - row % 2, left = column - column % 2;
    for (int at = 0; at < 4; at++) {
        if (grid[row][at] == symbol || grid[at][column] == symbol || grid[top + at / 2][left + at % 2] == symbol)
            return false;
    }
    return true;
}

static bool complete(Grid &grid, int cell)
{
    if (cell == 16)
        return true;
    char &here = grid[cell / 4][cell % 4];
    if (here != '0')
        return complete(grid, cell + 1);
    for (char symbol = '1'; symbol <= '4'; symbol++) {
        if (fits(grid, cell / 4, cell % 4, symbol)) {
            here = symbol;
            if (complete(grid, cell + 1))
                return true;
        }
    }
    here = '0';
    return false;
}

int main()
{
    int grids = 0;
    std::cin >> grids;
    while (grids-- > 0) {
        Grid grid;
        for (std::string &row : grid)
            std::cin >> row;
        complete(grid, 0);
        for (const std::string &row : grid)
            std::cout << row << '\n';
    }
}
