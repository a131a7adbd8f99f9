#include <iostream>
#include <string>

// Halves what is left with each guess.
int main() {
    int low = 1, high;
    std::cin >> high;
    for (std::string reply; reply != "correct";) {
        int middle = low + (high - low) / 2;
        std::cout << middle << std::endl;
        if (!(std::cin >> reply)) return 1;
        if (reply == "higher") low = middle + 1;
        if (reply == "lower") high = middle - 1;
    }
}
