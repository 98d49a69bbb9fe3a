#include <atomic>
#include <cassert>
#include <thread>

struct Node {
    int value;
    Node *next;
};

static std::atomic<Node *> top{nullptr};

static void push(Node *node) {
    node->next = top.load(std::memory_order_relaxed);
    while (!top.compare_exchange_strong(node->next, node, std::memory_order_relaxed)) {
    }
}

int main() {
    static Node one{}, two{};
    std::thread a([] {
        one.value = 1;
        push(&one);
    });
    std::thread b([] {
        if (Node *found = top.load(std::memory_order_relaxed))
            assert(found->value == 1);
    });
    a.join();
    b.join();
    (void)two;
}
