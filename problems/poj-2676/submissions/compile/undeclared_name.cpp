// Uses a name it never declared: CE.
#include <iostream>

int main() {
    int cases;
    std::cin >> cases;
    while (cases--) solve(grid);
}
