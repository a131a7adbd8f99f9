// The checker of "Queens". Called as `check INPUT ANSWER FEEDBACK/`, the output on standard input; ends with 42 if it
// is right, with 43 if not, and writes the reason to judgemessage.txt.
#include <fstream>
#include <iostream>
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

// Marks a line of the board as taken by the queen of a row; says which row had it before.
static void take(std::vector<int> &line, int place, int row, const char *kind) {
    if (line[place]) {
        reject("the queens of rows " + std::to_string(line[place]) + " and " + std::to_string(row) + " share " + kind);
    }
    line[place] = row;
}

int main(int, char **argv) {
    std::ifstream input(argv[1]), answer(argv[2]);
    feedback = argv[3];
    int n;
    std::string expected, word;
    if (!(input >> n) || !(answer >> expected)) return 1;

    std::vector<int> columns(n + 1), rising(2 * n + 1), falling(2 * n + 1);
    for (int row = 1; row <= n; row++) {
        if (!(std::cin >> word)) reject("there are " + std::to_string(row - 1) + " numbers, expected " + std::to_string(n));
        if (row == 1 && word == "none") {
            if (expected != "none") reject("found `none`, but there is a way");
            break;
        }
        if (word.empty() || word.size() > 5 || word.find_first_not_of("0123456789") != std::string::npos) {
            reject("row " + std::to_string(row) + ": " + quoted(word) + " is no column");
        }
        int column = std::stoi(word);
        if (column < 1 || column > n) reject("row " + std::to_string(row) + ": there is no column " + word);
        take(columns, column, row, "a column");
        take(rising, row + column, row, "a diagonal");
        take(falling, row - column + n, row, "a diagonal");
    }
    if (std::cin >> word) reject("there is output after the last number: " + quoted(word));
    return 42;
}
