#include <atomic>
#include <cassert>
#include <thread>

static int data;
static std::atomic<int> flag{0};

int main() {
    std::thread a([] {
        data = 1;
        flag.store(1, std::memory_order::relaxed);
    });
    std::thread b([] {
        if (flag.load(std::memory_order::relaxed) == 1)
            assert(data == 1);
    });
    a.join();
    b.join();
}
