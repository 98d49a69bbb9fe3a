#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0}, y{0};

int main() {
    std::thread a([] { x.store(1, std::memory_order_relaxed); });
    std::thread b([] {
        if (x.load(std::memory_order_relaxed) == 1)
            y.store(1, std::memory_order_relaxed);
    });
    std::thread c([] {
        if (y.load(std::memory_order_relaxed) == 1)
            assert(x.load(std::memory_order_relaxed) == 1);
    });
    a.join();
    b.join();
    c.join();
}
