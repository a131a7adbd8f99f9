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

// The value of an attribute of the element that is testlib's report, as `pctype = "100"`; empty if there is none.
static std::string attribute(const std::string &report, const char *name) {
    size_t element = report.find("<result"), end = report.find('>', element);
    size_t start = report.find(std::string(" ") + name + " = \"", element);
    if (element == std::string::npos || start == std::string::npos || start > end) return "";
    start = report.find('"', start) + 1;
    return report.substr(start, report.find('"', start) - start);
}

// The text of the element that is testlib's report; everything if there is no element.
static std::string message(const std::string &report) {
    size_t start = report.find('>', report.find("<result")), end = report.rfind("</result>");
    if (start == std::string::npos || end == std::string::npos || end < start) return report;
    std::string text = report.substr(start + 1, end - start - 1);
    const char *const names[][2] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}};
    for (auto &name : names)
        for (size_t at = 0; (at = text.find(name[0], at)) != std::string::npos; at++) text.replace(at, strlen(name[0]), name[1]);
    return text;
}

// Whether testlib's answer in the report is a part of the points, in place of right or wrong, and whether it is all of them.
static bool is_part(const std::string &report, int code, bool *is_all) {
    if (attribute(report, "outcome") == "partially-correct") {
        int parts = atoi(attribute(report, "pctype").c_str());
        *is_all = parts == 200;
        return code == (parts & 255) || code == ((parts + 50) & 255);
    }
    std::string points = attribute(report, "points");
    *is_all = !points.empty() && ALL_POINTS >= 0 && atof(points.c_str()) >= ALL_POINTS;
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
    char as_elements[] = "-appes";
    if (is_testlib) words.insert(words.end(), {&report[0], as_elements});
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
    std::string reported(1 << 20, '\0');
    FILE *said = fopen(report.c_str(), "rb");
    reported.resize(said ? fread(&reported[0], 1, reported.size(), said) : 0);
    if (said) fclose(said);
    if (FILE *told = fopen((feedback + "/judgemessage.txt").c_str(), "ab")) {
        std::string text = message(reported);
        fwrite(text.data(), 1, text.size(), told);
        fclose(told);
    }
    unlink(output.c_str());
    unlink(report.c_str());
    if (!WIFEXITED(status)) return 1;
    int code = WEXITSTATUS(status);
    bool is_all = false;
    if (is_testlib && is_part(reported, code, &is_all)) return is_all ? 42 : 43;
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
