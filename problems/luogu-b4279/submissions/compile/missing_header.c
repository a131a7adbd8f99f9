// Includes a header that does not exist: CE.
#include "sudoku_solver.h"

int main(void) { return solve_sudoku(); }
