// Calls the checker that is included below, which speaks another protocol, and turns its answer into 42 (right) or 43 (wrong).
//
// Called as `validate INPUT ANSWER FEEDBACK/ [ARGUMENT...]`, with the output on standard input. Before the checker's own `main` begins,
// this starts the same program again with the arguments of that protocol. If the checker does anything other than answer, that is a
// failure: this program then ends with 1.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace around_checker {

const char *const NAME = PROTOCOL;
const char *const INNER = "AROUND_CHECKER";

// The points of an output that is completely right, if testlib's checker gives points; negative if cases differ.
const double ALL_POINTS = POINTS;

static void copy(FILE *from, FILE *to) {
    char bytes[1 << 16];
    size_t count;
    while (from && to && (count = fread(bytes, 1, sizeof bytes, from)) > 0) fwrite(bytes, 1, count, to);
}

// Whether testlib's answer in the report is a part of the points, in place of right or wrong, and whether it is all of them.
static bool is_part(const std::string &report, int code, bool *is_all) {
    double number = 0;
    bool is_parts = sscanf(report.c_str(), " partially correct (%lf)", &number) == 1;
    *is_all = is_parts && number == 200;
    if (is_parts) return code == (int(number) & 255) || code == ((int(number) + 50) & 255);
    *is_all = sscanf(report.c_str(), " points %lf", &number) == 1 && ALL_POINTS >= 0 && number >= ALL_POINTS;
    return code == 7;
}

static int judge(int argc, char **argv) {
    if (argc < 4) return 1;
    std::string feedback = argv[3], output = feedback + "/output.txt", report = feedback + "/report.txt";
    bool is_testlib = !strcmp(NAME, "testlib"), is_dmoj = !strcmp(NAME, "dmoj");
    FILE *file = fopen(output.c_str(), "wb");
    if (!file) return 1;
    copy(stdin, file);
    if (fclose(file)) return 1;
    std::vector<char *> words = {argv[0], argv[1], &output[0], argv[2]};
    if (is_testlib) words.push_back(&report[0]);
    words.insert(words.end(), argv + 4, argv + argc);
    words.push_back(nullptr);
    setenv(INNER, "1", 1);
    pid_t child = fork();
    if (child == 0) {
        execv("/proc/self/exe", words.data());
        _exit(126);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    std::string start(64, '\0');
    if (FILE *said = fopen(report.c_str(), "rb")) {
        FILE *message = fopen((feedback + "/judgemessage.txt").c_str(), "ab");
        start.resize(fread(&start[0], 1, start.size(), said));
        rewind(said);
        copy(said, message);
        fclose(said);
        if (message) fclose(message);
    }
    unlink(output.c_str());
    unlink(report.c_str());
    if (!WIFEXITED(status)) return 1;
    int code = WEXITSTATUS(status);
    bool is_all = false;
    if (is_testlib && is_part(start, code, &is_all)) return is_all ? 42 : 43;
    if (code == 0) return 42;
    bool is_wrong = is_testlib ? code == 1 || code == 2 || code == 4 || code == 8 : is_dmoj ? code == 1 : code != 126 && code != 127;
    return is_wrong ? 43 : 1;
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **) {
    if (!getenv(INNER)) {
        int code = judge(argc, argv);
        fflush(nullptr);
        _exit(code);
    }
}

}  // namespace around_checker
