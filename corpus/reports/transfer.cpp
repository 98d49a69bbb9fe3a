// Two accounts, each with a lock; a transfer locks the source first. Two transfers in opposite directions wait for each
// other.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

Account alice, bob;

void transfer(Account &from, Account &to, int amount) {
  std::lock_guard<std::mutex> first(from.mutex);
  std::lock_guard<std::mutex> second(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread there([] { transfer(alice, bob, 10); });
  std::thread back([] { transfer(bob, alice, 20); });
  there.join();
  back.join();
}
