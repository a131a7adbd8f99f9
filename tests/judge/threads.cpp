// Right on every case of `mini`, using features that may be missing in a statically linked program.
#include <clocale>
#include <condition_variable>
#include <future>
#include <iostream>
#include <locale>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::string solved() {
    const char *rows[] = {"1234", "3412", "2143", "4321"};
    std::mutex mutex;
    std::condition_variable turn;
    std::size_t next = 0;
    std::ostringstream text;
    std::vector<std::thread> threads;
    for (std::size_t row = 4; row-- > 0;) {
        threads.emplace_back([&, row] {
            std::unique_lock<std::mutex> lock(mutex);
            turn.wait(lock, [&] { return next == row; });
            text << rows[next++] << std::endl;
            turn.notify_all();
        });
    }
    for (auto &thread : threads) thread.join();
    return text.str();
}

int main() {
    if (!std::setlocale(LC_ALL, "")) throw std::runtime_error("no locale for C");
    std::locale::global(std::locale(""));
    std::cout.imbue(std::locale());
    std::once_flag once;
    thread_local int cases = 0;
    std::call_once(once, [] { std::cin >> cases; });
    try {
        throw std::out_of_range("as it should");
    } catch (const std::exception &) {
        while (cases-- > 0) std::cout << std::async(std::launch::async, solved).get();
    }
}
