#include <iostream>
#include <string>

// Keeps a guess that was too high as a candidate, and so repeats it for ever.
int main() {
    int low = 1, high;
    std::cin >> high;
    for (std::string reply; reply != "correct";) {
        int middle = low + (high - low + 1) / 2;
        std::cout << middle << std::endl;
        if (!(std::cin >> reply)) return 1;
        if (reply == "higher") low = middle + 1;
        if (reply == "lower") high = middle;
    }
}
