#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> taken{false};
static int counter;

static void work() {
    while (taken.exchange(true, std::memory_order_relaxed)) {
    }
    counter++;
    taken.store(false, std::memory_order_relaxed);
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
    assert(counter == 2);
}
