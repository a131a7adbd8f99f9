// The checker of "Magic square". Called as `check INPUT ANSWER FEEDBACK/`, the output on standard input; ends with 42 if
// it is right, with 43 if not, and writes the reason to judgemessage.txt.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

static std::string feedback;

[[noreturn]] static void reject(const std::string &why) {
    std::ofstream(feedback + "judgemessage.txt") << why << '\n';
    exit(43);
}

// The word, short enough to be shown.
static std::string quoted(const std::string &word) {
    return "`" + (word.size() > 20 ? word.substr(0, 20) + "..." : word) + "`";
}

static std::string cell(int place, int n) {
    return "row " + std::to_string(place / n + 1) + ", column " + std::to_string(place % n + 1);
}

static void expect(long long sum, long long magic, const std::string &line) {
    if (sum != magic) reject(line + " sums to " + std::to_string(sum) + ", must be " + std::to_string(magic));
}

int main(int, char **argv) {
    std::ifstream input(argv[1]), answer(argv[2]);
    feedback = argv[3];
    int n;
    std::string expected, word, line;
    if (!(input >> n) || !(answer >> expected)) return 1;

    std::vector<int> square, place_of(n * n + 1, -1);
    for (int row = 0; row < n; row++) {
        do {
            if (!std::getline(std::cin, line)) {
                reject("there are " + std::to_string(row) + " rows, expected " + std::to_string(n));
            }
        } while (line.find_first_not_of(" \t\r") == std::string::npos);
        std::istringstream words(line);
        int column = 0;
        while (words >> word) {
            if (row == 0 && column == 0 && word == "none") {
                if (expected != "none") reject("found `none`, but there is a magic square");
                if (words >> word || std::cin >> word) reject("there is output after `none`: " + quoted(word));
                return 42;
            }
            std::string here = "row " + std::to_string(row + 1) + ", column " + std::to_string(++column);
            if (column > n) reject("row " + std::to_string(row + 1) + " has more than " + std::to_string(n) + " numbers");
            if (word.size() > 5 || word.find_first_not_of("0123456789") != std::string::npos) {
                reject(here + " is " + quoted(word) + ", which is no number from 1 to " + std::to_string(n * n));
            }
            int value = std::stoi(word);
            if (value < 1 || value > n * n) reject(here + " is " + word + ", the numbers are 1 to " + std::to_string(n * n));
            if (place_of[value] >= 0) reject(here + " is " + word + " again, which is also at " + cell(place_of[value], n));
            place_of[value] = square.size();
            square.push_back(value);
        }
        if (column < n) {
            reject("row " + std::to_string(row + 1) + " has " + std::to_string(column) + " numbers, expected " + std::to_string(n));
        }
    }
    if (std::cin >> word) reject("there is output after the last row: " + quoted(word));

    long long magic = n * (n * n + 1LL) / 2, falling = 0, rising = 0;
    for (int one = 0; one < n; one++) {
        long long row = 0, column = 0;
        for (int other = 0; other < n; other++) {
            row += square[one * n + other];
            column += square[other * n + one];
        }
        expect(row, magic, "row " + std::to_string(one + 1));
        expect(column, magic, "column " + std::to_string(one + 1));
        falling += square[one * n + one];
        rising += square[one * n + n - 1 - one];
    }
    expect(falling, magic, "diagonal 1 (from the top left)");
    expect(rising, magic, "diagonal 2 (from the top right)");
    return 42;
}
