// Puts grids in a queue and takes none out, as a breadth-first search may: MLE.
#include <array>
#include <queue>

int main() {
    std::queue<std::array<int, 81>> queue;
    for (std::array<int, 81> grid{};; ++grid[0]) queue.push(grid);
}
