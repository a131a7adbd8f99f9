// The interactor of "Guess the Number". Called as `interact INPUT ANSWER FEEDBACK/`, with standard input and output joined
// to those of the submission; ends with 42 if the number was found in time, with 43 if not, and writes the reason to judgemessage.txt.
#include <fstream>
#include <iostream>
#include <string>

static const int MOST_GUESSES = 20;

static std::string feedback;

[[noreturn]] static void reject(const std::string &why) {
    std::ofstream(feedback + "judgemessage.txt") << why << '\n';
    exit(43);
}

// A word of at most 20 letters, whatever the submission writes; longer ones are cut, and are no number then.
static bool read_word(std::string &word) {
    word.clear();
    std::cin >> std::ws;
    for (char letter; word.size() < 20 && std::cin.get(letter);) {
        if (isspace(static_cast<unsigned char>(letter))) break;
        word += letter;
    }
    return !word.empty();
}

int main(int, char **argv) {
    std::ifstream input(argv[1]), answer(argv[2]);
    feedback = argv[3];
    int n, hidden;
    if (!(input >> n) || !(answer >> hidden)) return 1;

    std::cout << n << std::endl;
    std::string word;
    for (int guess = 1;; guess++) {
        if (!read_word(word)) reject("the output ended before guess " + std::to_string(guess));
        if (guess > MOST_GUESSES) reject("more than " + std::to_string(MOST_GUESSES) + " guesses");
        if (word.size() > 7 || word.find_first_not_of("0123456789") != std::string::npos) {
            reject("guess " + std::to_string(guess) + ": `" + word + "` is no number");
        }
        int number = std::stoi(word);
        if (number < 1 || number > n) {
            reject("guess " + std::to_string(guess) + ": " + word + " is not between 1 and " + std::to_string(n));
        }
        if (number == hidden) break;
        std::cout << (number < hidden ? "higher" : "lower") << std::endl;
    }
    std::cout << "correct" << std::endl;
    if (read_word(word)) reject("there is output after the right guess: `" + word + "`");
    return 42;
}
