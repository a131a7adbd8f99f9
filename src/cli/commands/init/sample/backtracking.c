/* Fills the blank cells one after the other, and goes back where nothing fits. */
#include <stdbool.h>
#include <stdio.h>

static char grid[4][5];

static bool fits(int row, int column, char symbol)
{
    int top = row - row % 2, left = column - column % 2;
    for (int at = 0; at < 4; at++) {
        if (grid[row][at] == symbol || grid[at][column] == symbol || grid[top + at / 2][left + at % 2] == symbol)
            return false;
    }
    return true;
}

static bool complete(int cell)
{
    if (cell == 16)
        return true;
    int row = cell / 4, column = cell % 4;
    if (grid[row][column] != '0')
        return complete(cell + 1);
    for (char symbol = '1'; symbol <= '4'; symbol++) {
        if (fits(row, column, symbol)) {
            grid[row][column] = symbol;
            if (complete(cell + 1))
                return true;
        }
    }
    grid[row][column] = '0';
    return false;
}

int main(void)
{
    int grids;
    if (scanf("%d", &grids) != 1)
        return 1;
    while (grids-- > 0) {
        for (int row = 0; row < 4; row++) {
            if (scanf("%4s", grid[row]) != 1)
                return 1;
        }
        complete(0);
        for (int row = 0; row < 4; row++)
            puts(grid[row]);
    }
    return 0;
}
